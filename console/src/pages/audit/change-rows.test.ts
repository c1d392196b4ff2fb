import { expect, it } from 'vitest'
import { changeInWords, changeRows, fieldInWords } from './change-rows.ts'

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

it('shows times as the rest of the page does', () => {
  expect(changeInWords({ before: null, after: null, details: { endedAt: '2026-03-04T02:10:00.123Z' } })).toBe(
    'Ended at: 2026-03-04 02:10:00 UTC',
  )
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
  ['cbMinuteUsd', 'Spend breaker minute USD'],
  ['organizationId', 'Organization ID'],
  ['allowed_cidrs', 'Allowed CIDRs'],
  ['team.name', 'Team name'],
])('calls %s %s', (field, words) => {
  expect(fieldInWords(field)).toBe(words)
})

it.each([
  [{ before: { weight: 1 }, after: { weight: 3 } }, 'Weight: 1 → 3'],
  [{ after: { role: 'owner' } }, 'Role: owner'],
  [{ before: { role: 'owner' } }, 'Role: owner, removed'],
  [{ before: { a: 1, b: 1, c: 1 }, after: { a: 2, b: 2, c: 2 } }, 'A: 1 → 2, B: 1 → 2, 1 more'],
  [{ details: { amount: 5, name: 'main', organizationId: '1', models: ['acme/one'] } }, 'Amount: 5'],
  [{ after: { name: 'main', userId: '1', role: 'owner' } }, 'Role: owner'],
  [{ before: { name: 'Old' }, after: { name: 'New' } }, 'Name: Old → New'],
  [{ before: { weight: 1 }, after: { weight: 3 }, details: { name: 'main' } }, 'Weight: 1 → 3'],
  [{}, ''],
])('shows %o in a line as "%s"', (values, words) => {
  expect(changeInWords({ before: null, after: null, details: null, ...values })).toBe(words)
})
