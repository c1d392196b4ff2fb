import { expect, it } from 'vitest'
import { isSameView, parseViews, type SavedView, viewSearch, withoutView, withView } from './saved-views.ts'

const view = (name: string, table = 'requests'): SavedView => ({
  table,
  path: `/${table}`,
  name,
  search: { status: 'refunded', model: 'test/echo' },
})

it('keeps the filters, and neither the scope nor an open dialog', () => {
  expect(viewSearch({ scope: 'o/mill', create: true, live: true, model: 'a', from: undefined })).toEqual({ model: 'a' })
})

it('replaces a view of the same name in the same table, and keeps the others in order', () => {
  const views = [view('weekly'), view('failures', 'keys')].reduce(withView, [view('failures')])
  const changed = withView(views, { ...view('failures'), search: { key: 'k' } })
  expect(changed.map(({ table, name }) => `${table} ${name}`)).toEqual([
    'keys failures',
    'requests failures',
    'requests weekly',
  ])
  expect(changed[1]?.search).toEqual({ key: 'k' })
  expect(withoutView(changed, view('failures')).map(({ table }) => table)).toEqual(['keys', 'requests'])
})

it('knows the current view whatever the order of its parameters', () => {
  expect(isSameView(view('x'), { model: 'test/echo', scope: 'o/mill', status: 'refunded' })).toBe(true)
  expect(isSameView(view('x'), { model: 'test/echo' })).toBe(false)
})

it('ignores what is not a view', () => {
  const kept = JSON.stringify([view('x'), { name: 'no table' }, null, 7, { ...view('y'), search: [] }])
  expect(parseViews(kept)).toEqual([view('x')])
  expect([null, '{', '{}'].map(parseViews)).toEqual([[], [], []])
})
