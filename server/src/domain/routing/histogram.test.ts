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

  it.each([
    [1, 0],
    [1.04, 0],
    [1.05, 1],
    [2, 8],
    [3, 13],
    [1_024, 80],
    [1_048_576, 160],
    [1_200_000, 160],
  ])('has eight steps to each doubling: %d is in step %i', (figure, step) => {
    expect(stepOf(figure)).toBe(step)
  })

  it.each([
    [0, 1],
    [8, 2],
    [80, 1_024],
    [160, 1_048_576],
  ])('reads step %i as %i', (step, figure) => {
    expect(figureOf(step)).toBe(figure)
  })

  const steps = new Map([
    [16, 1],
    [8, 2],
    [24, 1],
  ])
  it.each([
    [0, 2],
    [0.5, 2],
    [0.51, 4],
    [0.75, 4],
    [0.76, 8],
    [1, 8],
  ])('of two figures of 2, one of 4 and one of 8 has for the share %d the figure %i', (share, figure) => {
    expect(quantileOf(steps, share)).toBe(figure)
  })

  it('has nothing for a share that is more than all', () => {
    expect(quantileOf(steps, 2)).toBeNull()
  })

  it('bounds its steps, whatever comes, and knows nothing of nothing', () => {
    for (const odd of [0, -5, Number.NaN]) expect(stepOf(odd)).toBe(0)
    expect(stepOf(Number.POSITIVE_INFINITY)).toBe(160)
    expect(quantileOf(new Map(), 0.5)).toBeNull()
  })
})
