/**
 * How often a figure fell into which step. Histograms add up, over processes and over time, and still have their
 * median.
 */
export type Histogram = ReadonlyMap<number, number>

// Eight steps from a figure to its double, so that what is read is within 5% of what was noted.
const stepsPerDoubling = 8
// 2^20, a week of milliseconds is beyond it and so is any host's speed.
const stepMax = 160

/** The step of a figure; below one all are the same. */
export function stepOf(figure: number): number {
  if (!(figure > 1)) return 0
  return Math.min(stepMax, Math.round(Math.log2(figure) * stepsPerDoubling))
}

export function figureOf(step: number): number {
  return 2 ** (step / stepsPerDoubling)
}

/** The figure that this share of all is not above; null where there are none. */
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
