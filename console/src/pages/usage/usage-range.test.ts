import { expect, it } from 'vitest'
import { rangeOf, weeksOf } from './usage-range.ts'

const now = Date.parse('2026-01-16T14:30:00Z')
const days = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10))

it.each([
  ['month', ['2026-01-01', '2026-01-17']],
  ['last-month', ['2025-12-01', '2026-01-01']],
  ['7d', ['2026-01-10', '2026-01-17']],
  ['year', ['2026-01-01', '2026-01-17']],
  ['2025-12-24..2025-12-26', ['2025-12-24', '2025-12-27']],
] as const)('%s is the days from %s, by UTC', (period, expected) => {
  expect(days(rangeOf(period, now))).toEqual(expected)
})

it('asks for hours week by week, without a gap and without a day twice', () => {
  expect(weeksOf(rangeOf('month', now)).map(days)).toEqual([
    ['2026-01-01', '2026-01-08'],
    ['2026-01-08', '2026-01-15'],
    ['2026-01-15', '2026-01-17'],
  ])
})
