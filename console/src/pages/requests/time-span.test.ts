import { expect, it } from 'vitest'
import { bucketsOf, timeSpanOf } from './time-span.ts'

const now = Date.parse('2026-11-16T14:30:00Z')

it('lists whole days by UTC, today with them, and leaves the end open', () => {
  const span = timeSpanOf({}, now)
  expect(span.query).toEqual({ from: '2026-11-10T00:00:00.000Z' })
  expect(span.granularity).toBe('hour')
})

it('lists what the histogram selected, and goes on to show its period', () => {
  const span = timeSpanOf({ period: '30d', from: '2026-11-12T00:00:00.000Z', to: '2026-11-13T00:00:00.000Z' }, now)
  expect(span.query).toEqual({ from: '2026-11-12T00:00:00.000Z', to: '2026-11-13T00:00:00.000Z' })
  expect(new Date(span.days.fromMs).toISOString()).toBe('2026-10-18T00:00:00.000Z')
  expect(span.granularity).toBe('day')
})

it('lists the days that a person entered, and ends with the last of them', () => {
  const span = timeSpanOf({ period: '2026-11-01..2026-11-03' }, now)
  expect(span.query).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' })
  expect(bucketsOf([], span)).toHaveLength(3 * 24)
  expect(timeSpanOf({ period: '2026-11-01..2026-11-16' }, now).query).toEqual({ from: '2026-11-01T00:00:00.000Z' })
})

it('has a bucket for every hour and loses no request of them', () => {
  const points = [
    { date: '2026-11-16T03:00:00Z', requests: 2, nano: 5n },
    { date: '2026-11-16T03:00:00Z', requests: 1, nano: 7n },
    { date: '2026-11-16T23:00:00Z', requests: 1, nano: 1n },
  ]
  const buckets = bucketsOf(points, timeSpanOf({ period: '1d' }, now))
  expect(buckets).toHaveLength(24)
  expect(buckets[3]).toMatchObject({ requests: 3, nano: 12n })
  expect(buckets[23]).toMatchObject({ requests: 1, nano: 1n })
})
