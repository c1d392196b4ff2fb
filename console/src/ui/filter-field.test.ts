import { expect, it } from 'vitest'
import { chipWords, type FilterField, filterValue, parseFilter, searchOf, setFilters } from './filter-field.ts'

const state: FilterField = {
  name: 'status',
  label: 'Status',
  type: 'choice',
  choices: [{ value: 'given_up', label: 'Failed' }],
}
const model: FilterField = { name: 'model', label: 'Model', type: 'choice', choices: [], isOpen: true }
const price: FilterField = { name: 'price', label: 'Price', type: 'number', words: (value) => `≤ $${value}` }
const wallet: FilterField = { name: 'wallet', label: 'Account', type: 'text' }
const even: FilterField = {
  ...wallet,
  name: 'even',
  parse: (text) => (text.length % 2 === 0 ? text.toUpperCase() : undefined),
}
const wrong: FilterField = { name: 'mismatched', label: 'Mismatches only', type: 'flag' }

it('reads a value of each type from the URL', () => {
  expect(filterValue(state, { status: 'given_up' })).toBe('given_up')
  expect(filterValue(model, { model: 'acme/new' })).toBe('acme/new')
  expect(filterValue(price, { price: 0.5 })).toBe('0.5')
  expect(filterValue(wallet, { wallet: 'ada@example.com' })).toBe('ada@example.com')
  expect(filterValue(even, { even: 'ab' })).toBe('AB')
  expect(filterValue(wrong, { mismatched: true })).toBe('true')
})

it('ignores a value that the filter cannot have', () => {
  expect(filterValue(state, { status: 'unknown' })).toBeUndefined()
  expect(filterValue(price, { price: '-1' })).toBeUndefined()
  expect(filterValue(price, { price: '1e9' })).toBeUndefined()
  expect(filterValue(wallet, { wallet: ['ada'] })).toBeUndefined()
  expect(filterValue(even, { even: 'abc' })).toBeUndefined()
  expect(filterValue(wrong, { mismatched: 'true' })).toBeUndefined()
})

it('takes what a person typed without the spaces around it, and nothing empty', () => {
  expect(parseFilter(wallet, '  mill ')).toBe('mill')
  expect(parseFilter(wallet, '  ')).toBeUndefined()
})

it('writes a flag as true and removes a filter without a value', () => {
  expect(searchOf(wrong, 'true')).toEqual({ mismatched: true })
  expect(searchOf(wrong, undefined)).toEqual({ mismatched: undefined })
  expect(searchOf(price, '3')).toEqual({ price: '3' })
})

it('lists the set filters in words', () => {
  const set = setFilters([wrong, state, price, model, wallet], {
    status: 'given_up',
    price: 3,
    mismatched: true,
    q: 'x',
  })
  expect(set.map(({ field, value }) => chipWords(field, value))).toEqual([
    'Mismatches only',
    'Status: Failed',
    'Price: ≤ $3',
  ])
  expect(chipWords(model, 'acme/new')).toBe('Model: acme/new')
  expect(chipWords({ ...price, words: undefined } as unknown as FilterField, '7')).toBe('Price: 7')
})
