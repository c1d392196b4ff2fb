/** Counts of values by bucket. Histograms add up over processes and time, and still give a median. */
export type Histogram = ReadonlyMap<number, number>

// Eight buckets per doubling, so that a value read is within 5% of the value noted.
const stepsPerDoubling = 8
// 2^20 is above any provider's speed or latency in milliseconds.
const stepMax = 160

/** The bucket of a value; all values up to one share a bucket. */
export function stepOf(figure: number): number {
  if (!(figure > 1)) return 0
  return Math.min(stepMax, Math.round(Math.log2(figure) * stepsPerDoubling))
}

export function figureOf(step: number): number {
  return 2 ** (step / stepsPerDoubling)
}

/** The quantile of a histogram; null if it is empty. */
export function quantileOf(histogram: Histogram, share: number): number | null {
  let total = 0
  for (const count of histogram.values()) total += count
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (const step of [...histogram.keys()].toSorted((one, other) => one - other)) {
    seen += histogram.get(step) ?? 0
    if (seen >= rank) return figureOf(step)
  }
  return null
}
