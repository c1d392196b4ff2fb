import { expect, it } from 'vitest'
import { arrangeColumns } from './arrange-columns.ts'
import type { Column } from './column.ts'

const column = (id: string, more: Partial<Column<string>> = {}): Column<string> => ({
  id,
  header: id,
  cell: (row) => row,
  width: 200,
  ...more,
})
const columns = [column('time', { phoneWidth: 90 }), column('provider'), column('cost', { phoneWidth: 110 })]
const placesOf = (isNarrow: boolean) => arrangeColumns(columns, isNarrow).map(({ id, width }) => [id, width])

it('keeps the order on wide screens', () => {
  expect(placesOf(false)).toEqual([
    ['time', 200],
    ['provider', 200],
    ['cost', 200],
  ])
})

it('puts the columns for phones first, at their width there', () => {
  expect(placesOf(true)).toEqual([
    ['time', 90],
    ['cost', 110],
    ['provider', 200],
  ])
})
