import { expect, it } from 'vitest'
import { arrangeCard } from './arrange-card.ts'
import type { Column } from './column.ts'

const column = (id: string, more: Partial<Column<string>> = {}): Column<string> => ({
  id,
  header: id,
  cell: (row) => row,
  csv: (row) => row,
  ...more,
})
const { csv: _csv, ...menu } = column('menu')
const idsOf = (columns: readonly Column<string>[]) => {
  const { title, figures, actions } = arrangeCard(columns)
  return [title?.id, figures.map(({ id }) => id), actions.map(({ id }) => id)]
}

it('shows the marked columns, and those that the person chose', () => {
  const columns = [
    column('time'),
    column('model', { onPhone: 'title' }),
    column('provider'),
    column('key', { isHidden: true }),
    column('cost', { onPhone: 'figure' }),
    menu,
  ]
  expect(idsOf(columns)).toEqual(['model', ['key', 'cost'], ['menu']])
})

it('shows the first columns of a table without marks, the first as the title', () => {
  const columns = ['name', 'a', 'b', 'c', 'd', 'e'].map((id) => column(id))
  expect(idsOf([menu, ...columns, column('f', { isHidden: true })])).toEqual([
    'name',
    ['a', 'b', 'c', 'd', 'f'],
    ['menu'],
  ])
})
