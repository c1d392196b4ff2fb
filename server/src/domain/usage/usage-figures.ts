import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The part of requests that failed, from 0 to 1 and with at most four decimals, which is a hundredth of a percent. */
export function errorRateOf({ failed, requests }: { failed: number; requests: number }): number {
  if (requests === 0) return 0
  const whole = BigInt(requests)
  // Half a unit is added before the rest is cut off, which rounds to the nearest.
  return Number((BigInt(failed) * 20_000n + whole) / (whole * 2n)) / 10_000
}

/**
 * How much of a budget is spent, in per cent with at most two decimals. Of no budget, or one of nothing, there is no
 * part.
 */
export function percentOf({ spent, budget }: { spent: NanoUsd; budget: NanoUsd | null }): number | null {
  if (budget === null || budget === 0n) return null
  // Half a hundredth is added before the rest is cut off, which rounds to the nearest.
  return Number((spent * 20_000n + budget) / (budget * 2n)) / 100
}

const million = 1_000_000n

/** What a million tokens have cost on average, to the nearest nano-USD; null without tokens. */
export function pricePerMillion({ spent, tokens }: { spent: NanoUsd; tokens: number }): NanoUsd | null {
  if (tokens === 0) return null
  const divisor = BigInt(tokens)
  return nanoUsd((spent * million * 2n + divisor) / (divisor * 2n))
}
