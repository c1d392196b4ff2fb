import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Credit that expires. States: open; ending, after its end, while requests under way still hold some of it; closed.
 *
 * A charge uses the grant that expires soonest, then the next, and at last the credit that does not expire. A grant
 * that is past its end goes on paying until it is closed, which a worker does.
 */
export interface Grant {
  readonly id: Uuid
  readonly amount: NanoUsd
  /** What the wallet had been charged in all when the grant began. */
  readonly chargedFrom: NanoUsd
  /** The same when it was closed; null: it is not. */
  readonly chargedUntil: NanoUsd | null
  readonly expiresAtMs: number
  /** What has gone back since its end. */
  readonly returned: NanoUsd
  /** The most that may still go back. Null before its end. */
  readonly due: NanoUsd | null
}

/**
 * How much of each grant of a wallet is used, by their ids. All that was ever charged is a line from zero to `charged`.
 * A grant covers the stretch of it in which it was open, and pays for the first of it that no grant with an earlier end
 * has paid for.
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

/** A part of what was charged, `until` not included. */
interface Stretch {
  readonly from: bigint
  readonly until: bigint
}

/** What of a stretch is outside of others, which are in order and do not overlap. */
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

/** The one that ends first comes first; of several with the same end, the oldest. */
export function inOrderOfEnd<Ending extends Grant>(grants: readonly Ending[]): Ending[] {
  return grants.toSorted((one, other) => one.expiresAtMs - other.expiresAtMs || (one.id < other.id ? -1 : 1))
}

/** What a wallet has at the moment. */
export interface WalletState {
  readonly balance: NanoUsd
  readonly held: NanoUsd
}

export interface Expiry {
  /** What goes back now. */
  readonly back: NanoUsd
  /** What may go back later, once the requests that hold it have ended. Zero: the grant is closed. */
  readonly due: NanoUsd
}

/**
 * What becomes of a grant that has ended. Whatever is held stays, so that a request under way is not cut off. What the
 * wallet no longer has, because a payment was refunded, is not taken from later credit.
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

/** A grant that is not closed, and what is left of it. */
export interface ExpiringCredit {
  readonly grant: Grant
  readonly left: NanoUsd
}

/** What of a wallet's balance expires, the soonest first. Together it is never more than the balance. */
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
