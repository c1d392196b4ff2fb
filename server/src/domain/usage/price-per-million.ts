import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

const million = 1_000_000n

/** What a million tokens have cost on average, to the nearest nano-USD; null without tokens. */
export function pricePerMillion({ spent, tokens }: { spent: NanoUsd; tokens: number }): NanoUsd | null {
  if (tokens === 0) return null
  const divisor = BigInt(tokens)
  return nanoUsd((spent * million * 2n + divisor) / (divisor * 2n))
}
