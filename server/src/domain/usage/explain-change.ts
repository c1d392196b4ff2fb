import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** Sums of one model, key or person in one period. */
export interface PeriodSums {
  readonly requests: number
  readonly failed: number
  readonly spent: NanoUsd
  readonly saved: NanoUsd
  readonly promptTokens: number
  readonly completionTokens: number
}

/** What moved the spend on one model. The parts add up to the change, to the last digit. */
export interface ChangeParts {
  /** More or fewer requests. */
  readonly requests: NanoUsd
  /** Longer or shorter prompts and answers. */
  readonly tokens: NanoUsd
  /** Another price per token before cache discounts, also by another mix of input and output. */
  readonly price: NanoUsd
  /** Another share of cached tokens. */
  readonly cache: NanoUsd
  /** A model that was not used before, or not any more. */
  readonly newUse: NanoUsd
  readonly endedUse: NanoUsd
}

const none: ChangeParts = {
  requests: nanoUsd(0n),
  tokens: nanoUsd(0n),
  price: nanoUsd(0n),
  cache: nanoUsd(0n),
  newUse: nanoUsd(0n),
  endedUse: nanoUsd(0n),
}

/**
 * Splits the change of a model's spend. Each step replaces one figure of the earlier period by that of the later one,
 * in the order of the parts, so the parts are differences of neighbours and add up exactly.
 */
export function explainChange(before: PeriodSums, now: PeriodSums): ChangeParts {
  if (before.spent === 0n) return { ...none, newUse: now.spent }
  if (now.requests === 0) return { ...none, endedUse: nanoUsd(-before.spent) }
  const scaled = (to: bigint, from: bigint): bigint => (from === 0n ? before.spent : (before.spent * to) / from)
  const byRequests = scaled(BigInt(now.requests), BigInt(before.requests))
  const [tokensNow, tokensBefore] = [tokensOf(now), tokensOf(before)]
  const byTokens = tokensNow === 0n || tokensBefore === 0n ? byRequests : scaled(tokensNow, tokensBefore)
  const byPrice = scaled(now.spent + now.saved, before.spent + before.saved)
  return {
    ...none,
    requests: nanoUsd(byRequests - before.spent),
    tokens: nanoUsd(byTokens - byRequests),
    price: nanoUsd(byPrice - byTokens),
    cache: nanoUsd(now.spent - byPrice),
  }
}

function tokensOf({ promptTokens, completionTokens }: PeriodSums): bigint {
  return BigInt(promptTokens) + BigInt(completionTokens)
}

export function addParts(all: readonly ChangeParts[]): ChangeParts {
  const sum = (name: keyof ChangeParts) => nanoUsd(all.reduce((total, parts) => total + parts[name], 0n))
  return {
    requests: sum('requests'),
    tokens: sum('tokens'),
    price: sum('price'),
    cache: sum('cache'),
    newUse: sum('newUse'),
    endedUse: sum('endedUse'),
  }
}
