import { describe, expect, it } from 'vitest'
import { type DayRange, dateOf } from '#lib/utc-calendar.ts'
import { insightsKeptMs, insightsRangeOf, type InsightsPeriod } from './insights-period.ts'

const at = (text: string): number => Date.parse(text)
const named = (range: DayRange | null) => (range === null ? null : [dateOf(range.startMs), dateOf(range.endMs)])

function rangesOf(period: InsightsPeriod, now: string, since = now) {
  const { current, previous, step } = insightsRangeOf(period, at(now), at(since))
  return { current: named(current), previous: named(previous), step }
}

describe('[ACCT-22] periods of insights', () => {
  it('are the last days with today, and as many before them', () => {
    expect(rangesOf('7d', '2026-03-07T12:00:00Z')).toEqual({
      current: ['2026-03-01', '2026-03-08'],
      previous: ['2026-02-22', '2026-03-01'],
      step: 'day',
    })
    expect(rangesOf('30d', '2026-03-01T00:00:00Z')).toMatchObject({
      current: ['2026-01-31', '2026-03-02'],
      previous: ['2026-01-01', '2026-01-31'],
    })
  })

  it.each([
    ['2026-03-07T12:00:00Z', ['2025-01-01', '2025-03-08']],
    ['2028-02-28T12:00:00Z', ['2027-01-01', '2027-03-01']],
    ['2028-02-29T12:00:00Z', ['2027-01-01', '2027-03-01']],
    ['2028-12-31T23:00:00Z', ['2027-01-01', '2028-01-01']],
  ])('the year up to %s is compared with the same days of the last', (now, previous) => {
    expect(rangesOf('ytd', now)).toMatchObject({ previous, step: 'day' })
  })

  it('all of it begins with the day of the wallet, and nothing was before', () => {
    expect(rangesOf('all', '2026-03-07T12:00:00Z', '2024-02-03T04:05:06Z')).toEqual({
      current: ['2024-02-03', '2026-03-08'],
      previous: null,
      step: 'month',
    })
    // A clock behind the database's must not invert a range.
    expect(rangesOf('all', '2026-03-07T23:59:59Z', '2026-03-08T00:00:01Z').current).toEqual([
      '2026-03-07',
      '2026-03-08',
    ])
  })
})

it('[ACCT-25] an answer is kept for five minutes', () => {
  expect(insightsKeptMs).toBe(300_000)
})
