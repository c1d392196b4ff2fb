import type { NanoUsd } from './nano-usd.ts'

/** Providers round differently: differences of 1% plus a hundredth of a cent do not count. */
const partsOfHundred = 101n
const slackNano = 100_000n

/**
 * Whether a provider states a higher cost for a response than the price list gives, which means that the list or our
 * reading of usage is wrong.
 */
export function isUndercharged(upstreamNano: number | undefined, cost: NanoUsd): boolean {
  return upstreamNano !== undefined && BigInt(upstreamNano) * 100n > cost * partsOfHundred + slackNano * 100n
}
