import { byteOrderMark, csvLine } from '#lib/csv-line.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'

const columns = ['kind', 'provider', 'debit', 'credit', 'amount', 'count'] as const

/** The entries of a month's books. Amounts are exact, with a point for decimals. */
export async function* journalCsv(books: JsonObject): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(['month', ...columns.map((name) => (name === 'amount' ? 'amount_usd' : name))])
  const month = String(books['month'])
  for (const entry of Array.isArray(books['entries']) ? books['entries'] : []) {
    if (!isJsonObject(entry)) continue
    yield csvLine([month, ...columns.map((name) => (entry[name] === null ? null : String(entry[name])))])
  }
}
