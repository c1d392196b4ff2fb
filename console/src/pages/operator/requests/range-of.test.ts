import { expect, it } from 'vitest'
import { rangeOf } from './range-of.ts'

const nowMs = Date.parse('2026-11-19T12:00:00Z')
const [from, to] = ['2026-11-01T10:00:00.000Z', '2026-11-01T10:02:00.000Z']

it.each([
  [{}, { from: '2026-11-12T12:00:00.000Z' }],
  [{ period: '1d' }, { from: '2026-11-18T12:00:00.000Z' }],
  [{ period: '90d' }, { from: '2026-08-21T12:00:00.000Z' }],
  [{ period: '2026-11-02..2026-11-03' }, { from: '2026-11-02T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' }],
  [
    { from, to, period: '1d' },
    { from, to },
  ],
  [{ from }, { from: '2026-11-12T12:00:00.000Z' }],
  [{ id: 'gen-1', from, to }, {}],
] as const)('%j', (search, range) => {
  expect(rangeOf(search, nowMs)).toEqual(range)
})
