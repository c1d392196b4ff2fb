import type { Column } from './column.ts'

type SortColumn<Row> = Pick<Column<Row>, 'id' | 'sort' | 'hasNone' | 'align'>

/** The name of a column in the search parameter `sort`, or undefined if the column does not sort. */
export function sortNameOf<Row>({ id, sort }: SortColumn<Row>): string | undefined {
  return typeof sort === 'function' ? id : sort
}

/** The order of a column, for `aria-sort`. `sort` is a name, with a leading minus if it descends. */
export function sortOrderOf(name: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}

/** The sort after a click on a header. Figures start with the highest, words with A; a second click reverses. */
export function nextSort<Row>(column: SortColumn<Row>, sort: string | undefined): string | undefined {
  const name = sortNameOf(column)
  if (name === undefined) return sort
  const order = sortOrderOf(name, sort)
  if (order === 'none') return column.align === 'right' ? `-${name}` : name
  return order === 'ascending' ? `-${name}` : name
}

/** Sorts a wholly loaded list. Rows that compare equal keep their order. The API has sorted by other names already. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortColumn<Row>[],
  sort: string | undefined,
): readonly Row[] {
  const column = columns.find((one) => sort === one.id || sort === `-${one.id}`)
  const compare = column?.sort
  if (column === undefined || typeof compare !== 'function') return rows
  const { hasNone = () => false } = column
  const sorted = rows
    .filter((row) => !hasNone(row))
    .toSorted((one, other) => (sort === column.id ? 1 : -1) * compare(one, other))
  return [...sorted, ...rows.filter(hasNone)]
}
