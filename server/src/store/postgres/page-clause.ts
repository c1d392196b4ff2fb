import type { Uuid } from '#lib/uuid.ts'
import type { Page, PageCursor, PageRequest } from '#ports/pages.ts'

/** A sort column: an expression with an index, and how a cursor carries its value. */
interface SortColumn {
  readonly column: string
  /** Converts the value to text without loss. */
  readonly value: string
  /** Converts a parameter back to the value. */
  readonly parse: (parameter: string) => string
}

/** Postgres stores timestamps in microseconds. */
export const timeColumn = (column: string): SortColumn => ({
  column,
  value: `(extract(epoch FROM ${column}) * 1000000)::bigint::text`,
  parse: (parameter) => `'epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond'`,
})

export const textColumn = (column: string): SortColumn => ({ column, value: column, parse: (name) => `${name}::text` })

interface PageClause {
  /** Starts with AND, or is empty. */
  readonly where: string
  readonly order: string
  readonly limit: string
  /** Must be selected as `cursor`. */
  readonly cursor: string
}

/**
 * The end of a statement that reads one page in index order, plus one entry that tells whether there is a next page.
 */
export function pageClause<Sort extends string>(
  page: PageRequest<Sort>,
  { columns, id, bind }: { columns: Readonly<Record<Sort, SortColumn>>; id: string; bind: (value: unknown) => string },
): PageClause {
  const sorted = columns[page.sort]
  const direction = page.descending ? 'DESC' : 'ASC'
  const { after } = page
  const beyond =
    after === null
      ? ''
      : ` AND (${sorted.column}, ${id}) ${page.descending ? '<' : '>'} (${sorted.parse(bind(after.value))}, ${bind(after.id)}::uuid)`
  return {
    where: beyond,
    order: `${sorted.column} ${direction}, ${id} ${direction}`,
    limit: bind(page.limit + 1),
    cursor: sorted.value,
  }
}

/** The entries of a page, from the rows of its statement. */
export function pageOf<Row extends { id: Uuid; cursor: string }, Entry>(
  rows: readonly Row[],
  limit: number,
  entryOf: (row: Row) => Entry,
): Page<Entry> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next: PageCursor | null = last === undefined ? null : { value: last.cursor, id: last.id }
  return { entries: shown.map(entryOf), next }
}
