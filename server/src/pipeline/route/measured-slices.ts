import { type Histogram, stepOf } from '#domain/routing/histogram.ts'
import type { MeasuredCount } from '#ports/shared-counts.ts'

/** Histograms of many series, by the interval in which they were counted. */
export interface Slices {
  add(startMs: number, series: string, figure: number): void
  counts(): MeasuredCount[]
  has(startMs: number): boolean
  /** Replaces these intervals. Intervals without counts are empty. */
  replace(startsMs: readonly number[], counts: readonly MeasuredCount[]): void
  /** Drops older intervals. */
  forget(firstMs: number): void
  /** Each series over all intervals. */
  totals(): Map<string, Histogram>
}

// Far above the number of upstreams and models that are used within ten seconds. Further series are not counted.
const seriesMax = 4_000

export function createSlices(): Slices {
  const slices = new Map<number, Map<string, Map<number, number>>>()

  function count(startMs: number, series: string, step: number, by: number): void {
    const slice = slices.get(startMs) ?? new Map<string, Map<number, number>>()
    slices.set(startMs, slice)
    const histogram = slice.get(series) ?? new Map<number, number>()
    if (histogram.size === 0 && slice.size >= seriesMax) return
    slice.set(series, histogram)
    histogram.set(step, (histogram.get(step) ?? 0) + by)
  }

  return {
    add: (startMs, series, figure) => count(startMs, series, stepOf(figure), 1),
    has: (startMs) => slices.has(startMs),
    counts() {
      const counts: MeasuredCount[] = []
      for (const [startMs, slice] of slices) {
        for (const [series, histogram] of slice) {
          for (const [step, each] of histogram) counts.push({ startMs, series, step, count: each })
        }
      }
      return counts
    },
    replace(startsMs, counts) {
      for (const startMs of startsMs) slices.set(startMs, new Map())
      for (const counted of counts) count(counted.startMs, counted.series, counted.step, counted.count)
    },
    forget(firstMs) {
      for (const startMs of slices.keys()) if (startMs < firstMs) slices.delete(startMs)
    },
    totals() {
      const totals = new Map<string, Map<number, number>>()
      for (const slice of slices.values()) {
        for (const [series, histogram] of slice) {
          const total = totals.get(series) ?? new Map<number, number>()
          totals.set(series, total)
          for (const [step, each] of histogram) total.set(step, (total.get(step) ?? 0) + each)
        }
      }
      return totals
    },
  }
}
