import { describe, expect, it } from 'vitest'
import { firstTokenBoundsMs, firstTokenCountsLength, firstTokenQuantile } from './first-token-times.ts'

/** Counts by position, with zeros elsewhere. */
const countsOf = (...filled: [position: number, count: number][]) =>
  Array.from({ length: 12 }, (_, at) => filled.find(([position]) => position === at)?.[1] ?? 0)

describe('[ACCT-28] the time within which a share of first tokens had come', () => {
  it('is told from twelve counts, whose bounds never change', () => {
    expect(firstTokenBoundsMs).toEqual([100, 200, 350, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000])
    expect(firstTokenCountsLength).toBe(12)
  })

  it.each([
    ['nothing', countsOf(), 0.5, null],
    ['the very first', countsOf([1, 5]), 0, 100],
    ['half of the quickest', countsOf([0, 10]), 0.5, 50],
    ['all of the quickest', countsOf([0, 10]), 1, 100],
    // 95 % of 4 is 3.8; 200 + 150 × 3.8 / 4 is 342.5.
    ['most of those between 200 and 350', countsOf([2, 4]), 0.95, 343],
    ['the last of the first half', countsOf([0, 5], [1, 5]), 0.5, 100],
    ['the first of the second half', countsOf([0, 5], [1, 5]), 0.6, 120],
    ['those behind an empty span', countsOf([0, 5], [4, 5]), 0.6, 550],
    ['the slowest, of which only the last bound is known', countsOf([11, 3]), 0.95, 30_000],
  ])('for %s', (_what, counts, share, timeMs) => {
    expect(firstTokenQuantile(counts, share)).toBe(timeMs)
  })
})
