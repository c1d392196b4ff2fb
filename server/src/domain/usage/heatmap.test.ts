import { describe, expect, it } from 'vitest'
import { dayMs } from '#lib/utc-calendar.ts'
import { heatmapOf, heatmapRangeOf } from './heatmap.ts'
import { errorRateOf } from './usage-figures.ts'

describe('[ACCT-27] the heatmap', () => {
  it('has every day, at a level by quarters of the largest', () => {
    const values = [0n, 1n, 25n, 26n, 50n, 51n, 75n, 76n, 100n]
    const days = heatmapOf(
      { startMs: 0, endMs: values.length * dayMs },
      (date) => values[Number(date.slice(8)) - 1] ?? 0n,
    )
    expect(days.map(({ level }) => level)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4])
    expect(days.map(({ value }) => value)).toEqual(values)
    expect(days.at(0)?.date).toBe('1970-01-01')
    expect(days.at(-1)?.date).toBe('1970-01-09')
  })

  it('looks for the largest day everywhere', () => {
    const days = heatmapOf({ startMs: 0, endMs: 3 * dayMs }, (date) => (date.endsWith('2') ? 100n : 50n))
    expect(days.map(({ level }) => level)).toEqual([2, 4, 2])
  })

  it('is all zero without anything, and exact for amounts that no float can hold', () => {
    expect(heatmapOf({ startMs: 0, endMs: dayMs }, () => 0n)).toEqual([{ date: '1970-01-01', value: 0n, level: 0 }])
    const half = 2n ** 70n
    const days = heatmapOf({ startMs: 0, endMs: 3 * dayMs }, (date) =>
      date.endsWith('1') ? half : date.endsWith('2') ? half + 1n : 2n * half,
    )
    expect(days.map(({ level }) => level)).toEqual([2, 3, 4])
  })

  it('shows the latest 366 days', () => {
    expect(heatmapRangeOf({ startMs: 0, endMs: 1_000 * dayMs })).toEqual({ startMs: 634 * dayMs, endMs: 1_000 * dayMs })
    expect(heatmapRangeOf({ startMs: 0, endMs: 366 * dayMs })).toEqual({ startMs: 0, endMs: 366 * dayMs })
  })
})

describe('[ACCT-28] the rate of errors', () => {
  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [1, 3, 0.3333],
    [2, 3, 0.6667],
    [1, 10_000, 0.0001],
    [1, 30_000, 0],
    [7, 7, 1],
  ])('of %i among %i is %d', (failed, requests, rate) => {
    expect(errorRateOf({ failed, requests })).toBe(rate)
  })
})
