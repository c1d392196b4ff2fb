/**
 * How long first tokens took, as counts: enough for quantiles over any sum of rows, without keeping every time. Counts
 * are stored by position, so these bounds never change.
 */
export const firstTokenBoundsMs = [100, 200, 350, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000] as const

/** Of the times below the first bound, between each two, and from the last one on. */
export const firstTokenCountsLength = firstTokenBoundsMs.length + 1

/**
 * The time within which this share of first tokens had come, to within the distance of two bounds; null without any.
 */
export function firstTokenQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [position, count] of counts.entries()) {
    if (count > 0 && seen + count >= share * total) {
      const lower = firstTokenBoundsMs[position - 1] ?? 0
      // Nothing is known of the slowest but that they were slower than the last bound.
      const upper = firstTokenBoundsMs[position] ?? lower
      return Math.round(lower + (upper - lower) * ((share * total - seen) / count))
    }
    seen += count
  }
  return firstTokenBoundsMs.at(-1) ?? null
}
