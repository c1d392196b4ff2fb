import { expect, it } from 'vitest'
import { changeRows, fieldInWords } from './change-rows.ts'

it('has a row for each field that changed', () => {
  expect(changeRows({ name: 'Old', monthlyBudget: null }, { name: 'New', monthlyBudget: '4.20' })).toEqual([
    { field: 'Name', before: 'Old', after: 'New' },
    { field: 'Monthly budget', before: 'None', after: '4.20' },
  ])
})

it('has a row for each field of an object that was created or deleted', () => {
  const rule = { enabled: true, matcher: { kind: 'regex', ignoreCase: false }, models: ['a/b', 'c/d'], tags: [] }
  const values = [
    ['Enabled', 'Yes'],
    ['Matcher kind', 'regex'],
    ['Matcher ignore case', 'No'],
    ['Models', 'a/b, c/d'],
    ['Tags', 'None'],
  ]
  expect(changeRows(null, rule)).toEqual(values.map(([field, after]) => ({ field, before: undefined, after })))
  expect(changeRows(rule, null)).toEqual(values.map(([field, before]) => ({ field, before, after: undefined })))
})

it('shows objects inside lists, and missing values', () => {
  expect(changeRows({ list: [{ a: 1 }, null], gone: undefined }, null)).toEqual([
    { field: 'List', before: '{"a":1}, None', after: undefined },
    { field: 'Gone', before: 'None', after: undefined },
  ])
  expect(changeRows(null, null)).toEqual([])
})

it.each([
  ['allowed_models', 'Allowed models'],
  ['cbMinuteUsd', 'Cb minute usd'],
  ['team.name', 'Team name'],
])('calls %s %s', (field, words) => {
  expect(fieldInWords(field)).toBe(words)
})
