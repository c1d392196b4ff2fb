import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The share of failed requests, from 0 to 1 with at most four decimals. */
export function errorRateOf({ failed, requests }: { failed: number; requests: number }): number {
  if (requests === 0) return 0
  const whole = BigInt(requests)
  // Half a unit is added before truncation, which rounds to the nearest.
  return Number((BigInt(failed) * 20_000n + whole) / (whole * 2n)) / 10_000
}

/**
 * The spent share of a budget, in percent with at most two decimals. Null without a budget, or with a budget of zero.
 */
export function percentOf({ spent, budget }: { spent: NanoUsd; budget: NanoUsd | null }): number | null {
  if (budget === null || budget === 0n) return null
  // Half a hundredth is added before truncation, which rounds to the nearest.
  return Number((spent * 20_000n + budget) / (budget * 2n)) / 100
}

const million = 1_000_000n

/** The average cost of a million tokens, to the nearest nano-USD; null without tokens. */
export function pricePerMillion({ spent, tokens }: { spent: NanoUsd; tokens: number }): NanoUsd | null {
  if (tokens === 0) return null
  const divisor = BigInt(tokens)
  return nanoUsd((spent * million * 2n + divisor) / (divisor * 2n))
}
