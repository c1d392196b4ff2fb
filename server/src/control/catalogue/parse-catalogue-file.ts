import { slugOf } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { isJsonObject } from '#lib/json.ts'
import { parseModelRecord } from './parse-model-record.ts'
import { createRecordReader, type NoteProblem, type Problem } from './record-reader.ts'

type ParsedCatalogueFile =
  | { readonly accepted: true; readonly rows: readonly CatalogueRow[] }
  | { readonly accepted: false; readonly problems: readonly Problem[]; readonly problemCount: number }

/** More would not be read; the count says how many there are. */
const problemsShownMax = 20

/** A whole import file, or what is wrong with it: one bad record refuses all, so that no half of a file is imported. */
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

/** The list of models stands by itself, or as `models` of an object that also says what the list is. */
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
    // Two ids with one slug could not be told apart in a path, and equal ids have equal slugs.
    const slug = slugOf(row.id.toLowerCase())
    const first = seen.get(slug)
    if (first === undefined) seen.set(slug, path)
    else note(`${path}.id`, `duplicate of ${first}, or has the same slug`)
    return [row]
  })
  return withoutAmbiguousAliases(rows)
}

/** An alias that is also a model, or that two models claim, names none of them. */
function withoutAmbiguousAliases(rows: readonly CatalogueRow[]): CatalogueRow[] {
  const claims = new Map<string, number>(rows.map((row) => [row.id, 1]))
  for (const alias of rows.flatMap((row) => row.aliases)) claims.set(alias, (claims.get(alias) ?? 0) + 1)
  return rows.map((row) => ({ ...row, aliases: row.aliases.filter((alias) => claims.get(alias) === 1) }))
}
