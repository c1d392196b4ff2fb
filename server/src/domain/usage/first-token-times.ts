/**
 * Counts of first token times: enough for quantiles over any sum of rows, without storing every time. Counts are stored
 * by position, so these bounds never change.
 */
export const firstTokenBoundsMs = [100, 200, 350, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000] as const

/** One count below the first bound, one between each two, and one above the last. */
export const firstTokenCountsLength = firstTokenBoundsMs.length + 1

/** The first token time at this quantile, accurate to the distance of two bounds; null without any counts. */
export function firstTokenQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [position, count] of counts.entries()) {
    if (count > 0 && seen + count >= share * total) {
      const lower = firstTokenBoundsMs[position - 1] ?? 0
      // For the slowest requests it is only known that they were slower than the last bound.
      const upper = firstTokenBoundsMs[position] ?? lower
      return Math.round(lower + (upper - lower) * ((share * total - seen) / count))
    }
    seen += count
  }
  return firstTokenBoundsMs.at(-1) ?? null
}
