import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figureOf, type Histogram, quantileOf, stepOf } from './histogram.ts'

function histogramOf(figures: readonly number[]): Histogram {
  const histogram = new Map<number, number>()
  for (const figure of figures) histogram.set(stepOf(figure), (histogram.get(stepOf(figure)) ?? 0) + 1)
  return histogram
}

describe('a histogram', () => {
  it('keeps every figure to within five percent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1_000_000, noNaN: true }), (figure) => {
        expect(Math.abs(figureOf(stepOf(figure)) / figure - 1)).toBeLessThan(0.05)
      }),
    )
  })

  it('knows the median and the slowest twentieth, also when it is the sum of several', () => {
    const figures = Array.from({ length: 100 }, (_, index) => (index + 1) * 10)
    const [median, p95] = [quantileOf(histogramOf(figures), 0.5), quantileOf(histogramOf(figures), 0.95)]
    expect(Math.abs((median ?? 0) / 500 - 1)).toBeLessThan(0.05)
    expect(Math.abs((p95 ?? 0) / 950 - 1)).toBeLessThan(0.05)
  })

  it('bounds its steps, whatever comes, and knows nothing of nothing', () => {
    for (const odd of [0, -5, Number.NaN]) expect(stepOf(odd)).toBe(0)
    expect(stepOf(Number.POSITIVE_INFINITY)).toBe(160)
    expect(quantileOf(new Map(), 0.5)).toBeNull()
  })
})
