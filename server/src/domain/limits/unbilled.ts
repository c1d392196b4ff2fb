import { type NanoUsd, nanoUsd, zeroUsd } from '../money/nano-usd.ts'

/**
 * The daily sums, at list price, of responses that the operator pays for and cannot charge, for each wallet and client
 * address. Payments determine their limit. `left` are responses that clients abandoned; `borne` are all other unpaid
 * costs: absorbed charges, responses without usage, streams that the upstream broke off. `atRisk` is the amount that
 * running requests may still add to `borne`: the gateway reserves it before it dispatches a request, so that a burst
 * cannot pass the limit.
 */
export interface UnbilledSums {
  /** Responses that clients abandoned today. */
  readonly left: NanoUsd
  /** Other unpaid costs of the operator today. */
  readonly borne: NanoUsd
  readonly paidToday: NanoUsd
  readonly paidYesterday: NanoUsd
  /** Estimates of running requests, all of which may still be abandoned. */
  readonly underWay: NanoUsd
  /** The possible cost of running requests beyond their holds. */
  readonly atRisk: NanoUsd
}

/** The request to check. The sums include it. */
export interface UnbilledRequest {
  readonly wallet: UnbilledSums
  readonly address: UnbilledSums
  readonly estimate: NanoUsd
  /** The wallet has enough credit to be judged by its own sums alone, regardless of other wallets at its address. */
  readonly isFunded: boolean
  /** Only the upstream can count the request's input, so its cost is unknown if the client abandons it. */
  readonly isUncounted: boolean
}

export interface UnbilledRules {
  /** The daily allowance, independent of payments. */
  readonly allowance: NanoUsd
  /** The share of the day's payments that is allowed, if it exceeds the allowance. */
  readonly percent: number
}

/**
 * `left`: the client abandoned too much today. `under way`: too many requests are running, until some of them end. A
 * request whose risk exceeds the rest of the limit reserves its `exact` possible cost. Beyond the limit a request
 * reserves its model's maximum cost (`most`). Neither adds anything to `borne`.
 */
type UnbilledVerdict = { allowed: true; reserves: Reserves } | { allowed: false; reason: 'left' | 'under way' }

type Reserves = 'usual' | 'exact' | 'most'

// Clients that have abandoned little are assumed to abandon one in twenty running requests; otherwise 200 concurrent
// requests could not be served.
const underWayFactor = 20n

/**
 * An address that has exhausted its sum does not stop wallets that pay or are funded. Other wallets at this address
 * have no allowance beyond the share of their payments, and a wallet without payments has one request at a time.
 */
export function judgeUnbilled(request: UnbilledRequest, rules: UnbilledRules): UnbilledVerdict {
  if (request.isFunded) return judgeSums(request.wallet, request, rules)
  const place = judgeSums(request.address, request, rules)
  const isUsedUp = !place.allowed || place.reserves === 'most'
  const own = judgeSums(request.wallet, request, isUsedUp ? { ...rules, allowance: zeroUsd } : rules)
  const isAtRisk = place.allowed && place.reserves === 'exact'
  return isAtRisk && own.allowed && own.reserves === 'usual' ? { allowed: true, reserves: 'exact' } : own
}

/** Whether the wallet has exceeded its daily limit of unpaid costs. */
export function isBoundUsedUp(sums: UnbilledSums, rules: UnbilledRules): boolean {
  return sums.left + sums.borne > unbilledAllowance(sums, rules)
}

/**
 * Whether the sums are so far below the limits that what other processes add within 100 ms cannot matter. A process
 * that is not sure asks for the sums of all before it judges.
 */
export function isFarBelowLimits(sums: UnbilledSums, rules: UnbilledRules): boolean {
  const { left, borne, atRisk, underWay } = sums
  return 2n * (left + borne + atRisk) <= rules.allowance && 2n * underWay <= underWayFactor * rules.allowance
}

/** What a process may add before it asks again: a tenth of the allowance, whatever the number of processes. */
export function unsyncedMaxOf({ allowance }: UnbilledRules): NanoUsd {
  return nanoUsd(allowance / 10n)
}

/** The daily limit of unpaid costs. */
export function unbilledAllowance({ paidToday }: UnbilledSums, rules: UnbilledRules): NanoUsd {
  return larger(rules.allowance, shareOf(paidToday, rules.percent))
}

function judgeSums(
  sums: UnbilledSums,
  { estimate, isUncounted }: Pick<UnbilledRequest, 'estimate' | 'isUncounted'>,
  rules: UnbilledRules,
): UnbilledVerdict {
  const { left, borne, paidToday, paidYesterday, underWay } = sums
  const allowance = unbilledAllowance(sums, rules)
  const isUsedUp = left + borne > allowance
  // Otherwise a client that abandons responses could continue with input whose cost is unknown.
  const isTooMuch = left > allowance || (isUsedUp && isUncounted && left > 0n)
  if (isTooMuch) return { allowed: false, reason: 'left' }
  const allowed = { allowed: true, reserves: reservesOf(sums, allowance) } as const
  // A single request is always allowed, even if its estimate is larger than the limit.
  if (underWay <= estimate) return allowed
  // Yesterday's payments count too, because the day may have just begun.
  const trusted = larger(rules.allowance, shareOf(nanoUsd(paidToday + paidYesterday), rules.percent))
  // A client can still abandon a request that reserves the maximum cost, but the operator then absorbs none of its
  // charge.
  const room = trusted - left - (isUsedUp ? 0n : borne)
  return underWay > room * underWayFactor ? { allowed: false, reason: 'under way' } : allowed
}

function reservesOf({ left, borne, atRisk }: UnbilledSums, allowance: NanoUsd): Reserves {
  if (left + borne > allowance) return 'most'
  return left + borne + atRisk > allowance ? 'exact' : 'usual'
}

function shareOf(amount: NanoUsd, percent: number): NanoUsd {
  return nanoUsd((amount * BigInt(percent)) / 100n)
}

function larger(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one > other ? one : other
}
