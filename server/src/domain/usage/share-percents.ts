import { assert } from '#lib/assert.ts'

/** Hundredths of a percent in a whole. */
const wholeHundredths = 10_000n

/**
 * Each amount's share of their sum, in percent with at most two decimals. The shares add up to exactly 100 unless the
 * sum is zero: all are rounded down, and the remaining hundredths go to the largest remainders, on a tie to the earlier
 * amount.
 */
export function sharePercents(amounts: readonly bigint[]): number[] {
  assert(
    amounts.every((amount) => amount >= 0n),
    'no share is below zero',
  )
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  if (sum === 0n) return amounts.map(() => 0)
  const hundredths = amounts.map((amount) => Number((amount * wholeHundredths) / sum))
  const left = Number(wholeHundredths) - hundredths.reduce((total, share) => total + share, 0)
  const favoured = new Set(
    amounts
      .map((amount, position) => ({ position, lost: (amount * wholeHundredths) % sum }))
      .sort((one, other) => (one.lost === other.lost ? 0 : one.lost > other.lost ? -1 : 1))
      .slice(0, left)
      .map(({ position }) => position),
  )
  return hundredths.map((share, position) => (share + (favoured.has(position) ? 1 : 0)) / 100)
}
