import type { NanoUsd } from '#domain/money/nano-usd.ts'

/** How much of a budget is spent, in per cent with at most two decimals. Of no budget, or one of nothing, there is no part. */
export function percentOf({ spent, budget }: { spent: NanoUsd; budget: NanoUsd | null }): number | null {
  if (budget === null || budget === 0n) return null
  // Half a hundredth is added before the rest is cut off, which rounds to the nearest.
  return Number((spent * 20_000n + budget) / (budget * 2n)) / 100
}
