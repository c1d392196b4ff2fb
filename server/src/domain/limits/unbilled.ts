import { type NanoUsd, nanoUsd, zeroUsd } from '../money/nano-usd.ts'

/**
 * The daily sums, at list price, of answers that the operator pays for and cannot charge, for each wallet and client address. Payments
 * decide their limit. `left` are answers that clients abandoned; `borne` are all other unpaid costs: absorbed charges, answers without
 * usage, streams that the upstream broke off.
 */
export interface UnbilledSums {
  /** Answers that clients abandoned today. */
  readonly left: NanoUsd
  /** Other unpaid costs of the operator today. */
  readonly borne: NanoUsd
  readonly paidToday: NanoUsd
  readonly paidYesterday: NanoUsd
  /** Estimates of requests under way, all of which may yet be left. */
  readonly underWay: NanoUsd
}

export interface UnbilledRules {
  /** What may be left in a day whatever was paid. */
  readonly allowance: NanoUsd
  /** What may be left of what was paid that day, if that is more. */
  readonly percent: number
}

/**
 * `left`: the client abandoned too much today. `under way`: too many requests run at once, until some of them end. Beyond the limit a
 * request reserves its model's maximum cost, so that it adds nothing to `borne`.
 */
export type UnbilledVerdict =
  | { allowed: true; reserves: 'usual' | 'most' }
  | { allowed: false; reason: 'left' | 'under way' }

// Clients that have left little are taken to leave one in twenty of what is under way, or 200 requests at once could not be served.
const underWayFactor = 20n

/**
 * An address that has used up its sum stops no wallet that pays: there, wallets have no allowance beyond their share of what they
 * paid, and one without any has one request at a time. The sums include the request that is judged.
 */
export function judgeUnbilled(
  { wallet, address, estimate }: { wallet: UnbilledSums; address: UnbilledSums; estimate: NanoUsd },
  rules: UnbilledRules,
): UnbilledVerdict {
  const atAddress = judgeSums(address, rules, estimate)
  const isUsedUp = !atAddress.allowed || atAddress.reserves === 'most'
  return judgeSums(wallet, isUsedUp ? { ...rules, allowance: zeroUsd } : rules, estimate)
}

/** Whether the wallet has exceeded its daily limit of unpaid costs. */
export function isBoundUsedUp(sums: UnbilledSums, rules: UnbilledRules): boolean {
  return sums.left + sums.borne > unbilledAllowance(sums, rules)
}

/** The daily limit of unpaid costs. */
export function unbilledAllowance({ paidToday }: UnbilledSums, rules: UnbilledRules): NanoUsd {
  return larger(rules.allowance, shareOf(paidToday, rules.percent))
}

function judgeSums(sums: UnbilledSums, rules: UnbilledRules, estimate: NanoUsd): UnbilledVerdict {
  const { left, borne, paidToday, paidYesterday, underWay } = sums
  if (left > unbilledAllowance(sums, rules)) return { allowed: false, reason: 'left' }
  const isUsedUp = isBoundUsedUp(sums, rules)
  const allowed = { allowed: true, reserves: isUsedUp ? 'most' : 'usual' } as const
  // A single request always may: its estimate can be larger than any sum.
  if (underWay <= estimate) return allowed
  // The day has begun for those who paid yesterday as well.
  const trusted = larger(rules.allowance, shareOf(nanoUsd(paidToday + paidYesterday), rules.percent))
  // A client can still abandon a request that reserves the maximum cost, but the operator absorbs nothing of it.
  const room = trusted - left - (isUsedUp ? 0n : borne)
  return underWay > room * underWayFactor ? { allowed: false, reason: 'under way' } : allowed
}

function shareOf(amount: NanoUsd, percent: number): NanoUsd {
  return nanoUsd((amount * BigInt(percent)) / 100n)
}

function larger(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one > other ? one : other
}
