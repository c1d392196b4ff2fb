import { expect, it } from 'vitest'
import { bucketIn, bucketsIn } from './regroup-hours.ts'

it.each([
  ['UTC', 'day', '2026-11-16T03:00:00Z', '2026-11-16'],
  ['UTC', 'hour', '2026-11-16T03:00:00Z', '2026-11-16 03:00'],
  ['America/New_York', 'day', '2026-11-16T03:00:00Z', '2026-11-15'],
  ['Asia/Kolkata', 'hour', '2026-11-16T20:00:00Z', '2026-11-17 01:30'],
] as const)('in %s the %s of %s is %s', (zone, size, iso, bucket) => {
  expect(bucketIn(zone, size, iso)).toBe(bucket)
})

it('gives every hour one bucket, so that sums stay what they are', () => {
  const range = { fromMs: Date.parse('2026-10-31T00:00:00Z'), toMs: Date.parse('2026-11-03T00:00:00Z') }
  expect(bucketsIn('UTC', 'day', range)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02'])
  expect(bucketsIn('America/New_York', 'day', range)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'])
})
