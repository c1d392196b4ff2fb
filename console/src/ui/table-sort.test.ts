import { expect, it } from 'vitest'
import { nextSort, sortNameOf, sortOrderOf, sortRows } from './table-sort.ts'

const byName = { id: 'name', sort: (one: string, other: string) => one.localeCompare(other) } as const
const byAge = { id: 'created', sort: 'born', align: 'right' } as const

it('names a column by its id if rows are compared, else as the API does', () => {
  expect([byName, byAge, { id: 'menu' }].map((column) => sortNameOf<string>(column))).toEqual([
    'name',
    'born',
    undefined,
  ])
})

it('starts with A for words and with the highest for figures, and reverses with each click', () => {
  expect(nextSort<string>(byName, undefined)).toBe('name')
  expect(nextSort<string>(byName, 'name')).toBe('-name')
  expect(nextSort<string>(byName, '-name')).toBe('name')
  expect(nextSort<string>(byAge, 'name')).toBe('-born')
  expect(nextSort<string>(byAge, '-born')).toBe('born')
  expect(nextSort<string>({ id: 'menu' }, 'name')).toBe('name')
})

it('says the order of a column', () => {
  expect(['born', '-born', 'name', undefined].map((sort) => sortOrderOf('born', sort))).toEqual([
    'ascending',
    'descending',
    'none',
    'none',
  ])
})

it('puts rows without a value last in either order', () => {
  const prices = ['3', '', '1', '2']
  const byPrice = {
    id: 'price',
    sort: (one: string, other: string) => Number(one) - Number(other),
    hasNone: (row: string) => row === '',
  }
  expect(sortRows(prices, [byPrice], 'price')).toEqual(['1', '2', '3', ''])
  expect(sortRows(prices, [byPrice], '-price')).toEqual(['3', '2', '1', ''])
})

it('sorts rows that are compared, and leaves those that the API sorted', () => {
  const rows = ['weir', 'lock', 'mill']
  expect(sortRows(rows, [byName, byAge], 'name')).toEqual(['lock', 'mill', 'weir'])
  expect(sortRows(rows, [byName, byAge], '-name')).toEqual(['weir', 'mill', 'lock'])
  expect(sortRows(rows, [byName, byAge], '-born')).toBe(rows)
  expect(sortRows(rows, [byName, byAge], undefined)).toBe(rows)
  expect(rows).toEqual(['weir', 'lock', 'mill'])
})
