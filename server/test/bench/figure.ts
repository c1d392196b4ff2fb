/** The median of several windows, with the quartiles around it. */
export interface Figure {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly windows: number
}

/** Returns null if no window has a value. */
export function figureOf(values: readonly (number | null)[], digits: number): Figure | null {
  const sorted = values
    .filter((value) => value !== null)
    .filter(Number.isFinite)
    .toSorted((one, other) => one - other)
  if (sorted.length === 0) return null
  const at = (share: number): number => Number(quantile(sorted, share).toFixed(digits))
  return { median: at(0.5), low: at(0.25), high: at(0.75), windows: sorted.length }
}

export function quantileOf(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    share,
  )
}

/** Interpolates linearly between two values. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? Number.NaN
  const upper = sorted[Math.ceil(place)] ?? Number.NaN
  return lower + (upper - lower) * (place - Math.floor(place))
}
