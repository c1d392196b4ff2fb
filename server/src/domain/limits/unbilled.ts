import { type NanoUsd, nanoUsd, zeroUsd } from '../money/nano-usd.ts'

/**
 * Answers that clients leave before usage arrives cost them nothing, and the operator what the upstream charges. So what they are worth
 * at list price is summed for each wallet and client address over a day, and bounded by what was paid.
 */
export interface UnbilledSums {
  /** Left unpaid today. */
  readonly left: NanoUsd
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

/** `left`: too much was left today. `under way`: too much would be at stake at once, until some of it has ended. */
export type UnbilledVerdict = { allowed: true } | { allowed: false; reason: 'left' | 'under way' }

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
  return judgeSums(wallet, atAddress.allowed ? rules : { ...rules, allowance: zeroUsd }, estimate)
}

/** What may be left today. */
export function unbilledAllowance({ paidToday }: UnbilledSums, rules: UnbilledRules): NanoUsd {
  return larger(rules.allowance, shareOf(paidToday, rules.percent))
}

function judgeSums(sums: UnbilledSums, rules: UnbilledRules, estimate: NanoUsd): UnbilledVerdict {
  const { left, paidToday, paidYesterday, underWay } = sums
  if (left > unbilledAllowance(sums, rules)) return { allowed: false, reason: 'left' }
  // A single request always may: its estimate can be larger than any sum.
  if (underWay <= estimate) return { allowed: true }
  // The day has begun for those who paid yesterday as well.
  const trusted = larger(rules.allowance, shareOf(nanoUsd(paidToday + paidYesterday), rules.percent))
  return underWay > (trusted - left) * underWayFactor ? { allowed: false, reason: 'under way' } : { allowed: true }
}

function shareOf(amount: NanoUsd, percent: number): NanoUsd {
  return nanoUsd((amount * BigInt(percent)) / 100n)
}

function larger(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one > other ? one : other
}
