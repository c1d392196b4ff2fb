import { expect, test } from 'vitest'
import type { Change } from './diff-catalogue.ts'
import { judgeChange } from './judge-change.ts'

const today = '2026-11-16'

function doubt(change: Omit<Change, 'model'>): string | null {
  return judgeChange({ model: 'acme/one', ...change }, today)
}

const price = { what: 'price', where: 'acme prompt' } as const

test.each([
  ['0.000001', '0.000002', null],
  ['0.000002', '0.000001', null],
  [null, '0.000001', null],
  ['0', '0', null],
  ['0.000001', '0.0000020001', 'more than double'],
  ['0.0000020001', '0.000001', 'less than half'],
  ['0.000001', '0', 'zero price before or after'],
  ['0', '0.000001', 'zero price before or after'],
  ['0.000001', null, 'the price would be removed'],
  [null, '0.0011', 'more than 1,000 USD per million tokens'],
])('a price that goes from %s to %s: %s', (from, to, expected) => {
  expect(doubt({ ...price, from, to })).toBe(expected)
})

test('what is not counted in tokens may cost more than a token', () => {
  expect(doubt({ what: 'price', where: 'acme per_image_output', from: null, to: '0.04' })).toBeNull()
})

test('a price that sources did not agree on is doubtful, however near it is', () => {
  expect(doubt({ ...price, from: null, to: '0.000001', wasDisputed: true })).toContain('sources disagree on this price')
})

test('V7: a price of a provider that bills by the time of day is doubtful, however near it is', () => {
  expect(doubt({ ...price, from: '0.000001', to: '0.000001001', isByTheClock: true })).toContain('time of day')
  expect(doubt({ ...price, from: null, to: '0.000001', isByTheClock: true })).toContain('time of day')
})

test.each<[Omit<Change, 'model'>, string | null]>([
  [{ what: 'limit', where: 'context length', from: '8192', to: '4096' }, null],
  [{ what: 'limit', where: 'context length', from: '8192', to: '4095' }, 'less than half'],
  [{ what: 'limit', where: 'context length', from: null, to: '4' }, null],
  [{ what: 'retirement', where: 'retires on', from: null, to: '2026-11-17' }, null],
  [
    { what: 'retirement', where: 'retires on', from: null, to: '2026-11-16' },
    'the date is in the past: calls would be rejected immediately',
  ],
  [{ what: 'retirement', where: 'retires on', from: '2026-11-16', to: null }, null],
  [{ what: 'offer', where: 'acme', from: 'one', to: null }, 'the provider would no longer be used'],
  [{ what: 'model', where: 'chat', from: null, to: 'acme' }, null],
])('%j is judged %s', (change, expected) => {
  expect(doubt(change)).toBe(expected)
})
