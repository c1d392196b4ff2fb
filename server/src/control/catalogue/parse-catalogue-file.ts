import { slugOf } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { isJsonObject } from '#lib/json.ts'
import { parseModelRecord } from './parse-model-record.ts'
import { createRecordReader, type NoteProblem, type Problem } from './record-reader.ts'

type ParsedCatalogueFile =
  | { readonly accepted: true; readonly rows: readonly CatalogueRow[] }
  | { readonly accepted: false; readonly problems: readonly Problem[]; readonly problemCount: number }

/** The most problems shown; the count says how many there are. */
const problemsShownMax = 20

/**
 * Parses a whole import file, or returns its problems. One invalid record rejects the file, so that no file is imported
 * partly.
 */
export function parseCatalogueFile(file: unknown): ParsedCatalogueFile {
  const problems: Problem[] = []
  let problemCount = 0
  const note: NoteProblem = (path, reason) => {
    problemCount += 1
    if (problems.length < problemsShownMax) problems.push({ path, reason })
  }
  const rows = parseRecords(file, note)
  return problemCount === 0 ? { accepted: true, rows } : { accepted: false, problems, problemCount }
}

/** The models are a plain array, or the `models` field of an object with metadata. */
function parseRecords(file: unknown, note: NoteProblem): CatalogueRow[] {
  const [records, place] = isJsonObject(file) ? [file['models'], 'models'] : [file, '']
  if (!Array.isArray(records)) {
    note(place, 'must be an array of models')
    return []
  }
  const seen = new Map<string, string>()
  const rows = records.flatMap((record: unknown, at) => {
    const path = `${place}[${at}]`
    if (!isJsonObject(record)) {
      note(path, 'must be an object')
      return []
    }
    const row = parseModelRecord(createRecordReader(record, path, note))
    // Two ids with the same slug would be ambiguous in a path. Equal ids have equal slugs.
    const slug = slugOf(row.id.toLowerCase())
    const first = seen.get(slug)
    if (first === undefined) seen.set(slug, path)
    else note(`${path}.id`, `duplicate of ${first}, or has the same slug`)
    return [row]
  })
  return withoutAmbiguousAliases(rows)
}

/** Drops an alias that is also a model id or that two models claim. */
function withoutAmbiguousAliases(rows: readonly CatalogueRow[]): CatalogueRow[] {
  const claims = new Map<string, number>(rows.map((row) => [row.id, 1]))
  for (const alias of rows.flatMap((row) => row.aliases)) claims.set(alias, (claims.get(alias) ?? 0) + 1)
  return rows.map((row) => ({ ...row, aliases: row.aliases.filter((alias) => claims.get(alias) === 1) }))
}
