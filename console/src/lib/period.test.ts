import { expect, it } from 'vitest'
import { daySpanOf, formatDaySpan, parseDaySpan, pickPeriod } from './period.ts'

const november = { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 16) }

it('reads whole days by UTC, the last one included, and writes them back', () => {
  expect(parseDaySpan('2026-11-01..2026-11-15')).toEqual(november)
  expect(daySpanOf(november)).toBe('2026-11-01..2026-11-15')
  expect(formatDaySpan(november)).toBe('2026-11-01 – 2026-11-15')
})

it('reads a single day', () => {
  const day = parseDaySpan('2026-11-01..2026-11-01')
  expect(day).toEqual({ fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 2) })
  expect(day === undefined ? '' : formatDaySpan(day)).toBe('2026-11-01')
})

it.each([
  '2026-11-02..2026-11-01',
  '2026-13-01..2026-13-02',
  '2000-01-01..2026-01-01',
  '2026-11-01',
  '7d',
  7,
  undefined,
])('%s is no span of days', (value) => {
  expect(parseDaySpan(value)).toBeUndefined()
})

it('picks a preset or a span, and nothing else', () => {
  expect(pickPeriod(['7d', '30d'], '30d')).toEqual({ period: '30d' })
  expect(pickPeriod(['7d'], '2026-11-01..2026-11-15')).toEqual({ period: '2026-11-01..2026-11-15' })
  expect(pickPeriod(['7d'], '90d')).toEqual({})
})
