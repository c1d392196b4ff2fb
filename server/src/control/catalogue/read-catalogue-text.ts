import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject } from '#lib/json.ts'
import { parseCatalogueFile } from './parse-catalogue-file.ts'

export interface ReadCatalogue {
  readonly rows: readonly CatalogueRow[]
  /** The creation date, if the file states one. */
  readonly date: string | null
}

/** Reads the models of a catalogue file. A file with a mistake is rejected as a whole, with every problem listed. */
export function readCatalogueText(text: string): ReadCatalogue {
  const file = parseJson(text)
  const parsed = parseCatalogueFile(file)
  if (!parsed.accepted) {
    const shown = parsed.problems.map(({ path, reason }) => `  ${path}: ${reason}`)
    throw malformed([`The file has ${parsed.problemCount} errors:`, ...shown].join('\n'))
  }
  const date = isJsonObject(file) ? file['date'] : undefined
  return { rows: parsed.rows, date: typeof date === 'string' ? date : null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The file is not valid JSON.')
  }
}
