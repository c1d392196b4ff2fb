import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Credit that expires. States: open; ending (expired, but running requests still hold some of it); closed.
 *
 * A charge uses the grant that expires first, then the next, and finally the credit that does not expire. An expired
 * grant keeps paying until a worker closes it.
 */
export interface Grant {
  readonly id: Uuid
  readonly amount: NanoUsd
  /** The wallet's total charges when the grant began. */
  readonly chargedFrom: NanoUsd
  /** The wallet's total charges when the grant was closed; null if it is not closed. */
  readonly chargedUntil: NanoUsd | null
  readonly expiresAtMs: number
  /** The amount returned since its expiry. */
  readonly returned: NanoUsd
  /** The maximum that may still be returned. Null before its expiry. */
  readonly due: NanoUsd | null
}

/**
 * The used amount of each grant of a wallet, by id. All charges form a line from zero to `charged`. A grant covers the
 * section of the line during which it was open, and pays for the first section that no grant with an earlier expiry has
 * paid for.
 */
export function usedOfGrants(grants: readonly Grant[], charged: NanoUsd): ReadonlyMap<Uuid, NanoUsd> {
  const paid: Stretch[] = []
  const used = new Map<Uuid, NanoUsd>()
  for (const grant of inOrderOfEnd(grants)) {
    const open = { from: grant.chargedFrom, until: grant.chargedUntil ?? charged }
    const own = takeFirst(gapsIn(open, paid), grant.amount - grant.returned)
    used.set(grant.id, nanoUsd(own.reduce((sum, { from, until }) => sum + until - from, 0n)))
    paid.push(...own)
    paid.sort((one, other) => compare(one.from, other.from))
  }
  return used
}

/** A section of the charges; `until` is exclusive. */
interface Stretch {
  readonly from: bigint
  readonly until: bigint
}

/** The sections of a stretch outside of `taken`, which is in order and does not overlap. */
function gapsIn({ from, until }: Stretch, taken: readonly Stretch[]): Stretch[] {
  const gaps: Stretch[] = []
  let start = from
  for (const other of taken) {
    if (other.until <= start) continue
    if (other.from >= until) break
    if (other.from > start) gaps.push({ from: start, until: other.from })
    start = other.until
  }
  if (start < until) gaps.push({ from: start, until })
  return gaps
}

function takeFirst(gaps: readonly Stretch[], amount: bigint): Stretch[] {
  const taken: Stretch[] = []
  let left = amount
  for (const { from, until } of gaps) {
    if (left === 0n) break
    const length = until - from < left ? until - from : left
    taken.push({ from, until: from + length })
    left -= length
  }
  return taken
}

/** Sorts by expiry, then by age. */
export function inOrderOfEnd<Ending extends Grant>(grants: readonly Ending[]): Ending[] {
  return grants.toSorted((one, other) => one.expiresAtMs - other.expiresAtMs || (one.id < other.id ? -1 : 1))
}

/** The current state of a wallet. */
export interface WalletState {
  readonly balance: NanoUsd
  readonly held: NanoUsd
}

export interface Expiry {
  /** The amount returned now. */
  readonly back: NanoUsd
  /** The amount that may be returned later, once the requests that hold it have ended. Zero if the grant is closed. */
  readonly due: NanoUsd
}

/**
 * Decides what an expired grant returns. Held amounts stay, so that a running request is not cut off. If the wallet no
 * longer has the amount, because a payment was refunded, it is not taken from later credit.
 */
export function judgeExpiry({ amount, returned, due }: Grant, used: NanoUsd, { balance, held }: WalletState): Expiry {
  const unused = amount - returned - used
  const wanted = due === null || unused < due ? unused : due
  const free = balance > held ? balance - held : 0n
  const back = wanted < free ? wanted : free
  const inHolds = balance < held ? balance : held
  const rest = wanted - back < inHolds ? wanted - back : inHolds
  return { back: nanoUsd(back), due: rest > 0n ? nanoUsd(rest) : zeroUsd }
}

/** A grant that is not closed, and its remaining amount. */
export interface ExpiringCredit {
  readonly grant: Grant
  readonly left: NanoUsd
}

/** The expiring parts of a wallet's balance, soonest first. Their sum never exceeds the balance. */
export function expiringCredits(
  grants: readonly Grant[],
  wallet: { balance: NanoUsd; charged: NanoUsd },
): ExpiringCredit[] {
  const used = usedOfGrants(grants, wallet.charged)
  let balance: bigint = wallet.balance > 0n ? wallet.balance : 0n
  const credits: ExpiringCredit[] = []
  for (const grant of inOrderOfEnd(grants)) {
    if (grant.chargedUntil !== null) continue
    const unused = grant.amount - grant.returned - (used.get(grant.id) ?? 0n)
    const left = unused < balance ? unused : balance
    balance -= left
    if (left > 0n) credits.push({ grant, left: nanoUsd(left) })
  }
  return credits
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
