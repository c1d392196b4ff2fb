import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { UnbilledChange } from '#ports/shared-counts.ts'
import type { SharedChange } from './redis-unbilled.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

export interface Amounts {
  left: bigint
  borne: bigint
  paid: bigint
  underWay: bigint
  atRisk: bigint
}

/** Amounts that belong to one day and one hour. */
interface DatedAmounts extends Amounts {
  readonly day: number
  readonly hour: number
}

/** A subject as this process sees it: what the shared store said last, and what this process has added since. */
export interface Subject {
  readonly id: string
  shared: UnbilledSums
  /** When the shared store said so, and the hour that it spoke of. */
  syncedAtMs: number
  hour: number
  /** Numbered and sent, but not confirmed. They are sent again, with the same numbers, until they are. */
  sent: SharedChange[]
  waiting: DatedAmounts[]
  /** Everything that this process ever added, and how many changes that were; of those, how many have been sent. */
  readonly total: Amounts
  changes: number
  sentChanges: number
  /** Added since the last message. */
  unsynced: bigint
  syncing: Promise<boolean> | null
}

/** Adds a change, and returns whether there was one. */
export function noteChange(subject: Subject, change: UnbilledChange, nowMs: number): boolean {
  const { left = 0n, borne = 0n, paid = 0n, underWay = 0n, atRisk = 0n, sinceMs = nowMs } = change
  if (left === 0n && borne === 0n && paid === 0n && underWay === 0n && atRisk === 0n) return false
  for (const amounts of [subject.total, datedAmounts(subject, nowMs, sinceMs)]) {
    amounts.left += left
    amounts.borne += borne
    amounts.paid += paid
    amounts.underWay += underWay
    amounts.atRisk += atRisk
  }
  for (const amount of [left, borne, underWay, atRisk]) if (amount > 0n) subject.unsynced += amount
  subject.changes += 1
  return true
}

/** Makes messages of the waiting changes, with numbers after the last one. Returns the new last number. */
export function numberChanges(subject: Subject, last: number, nowMs: number): number {
  const sequenceHour = Math.floor(nowMs / hourMs)
  subject.sent = subject.waiting.map((amounts, index) => ({ ...amounts, sequence: last + 1 + index, sequenceHour }))
  subject.waiting = []
  subject.unsynced = 0n
  subject.sentChanges = subject.changes
  return last + subject.sent.length
}

/** The shared store has everything that was sent, and answered with these sums. */
export function confirm(subject: Subject, sums: UnbilledSums, nowMs: number): void {
  subject.sent = []
  subject.shared = sums
  subject.syncedAtMs = nowMs
  subject.hour = Math.floor(nowMs / hourMs)
}

const zero = nanoUsd(0n)
const noSums: UnbilledSums = {
  left: zero,
  borne: zero,
  paidToday: zero,
  paidYesterday: zero,
  underWay: zero,
  atRisk: zero,
}
export const none: Readonly<Amounts> = { left: 0n, borne: 0n, paid: 0n, underWay: 0n, atRisk: 0n }

export function newSubject(id: string): Subject {
  return {
    id,
    shared: noSums,
    syncedAtMs: Number.NEGATIVE_INFINITY,
    hour: 0,
    sent: [],
    waiting: [],
    total: { ...none },
    changes: 0,
    sentChanges: 0,
    unsynced: 0n,
    syncing: null,
  }
}

export function isSent({ sent, waiting }: Subject): boolean {
  return sent.length === 0 && waiting.length === 0
}

function datedAmounts({ waiting }: Subject, nowMs: number, sinceMs: number): DatedAmounts {
  const day = Math.floor(nowMs / dayMs)
  const hour = Math.floor(sinceMs / hourMs)
  const known = waiting.find((amounts) => amounts.day === day && amounts.hour === hour)
  if (known !== undefined) return known
  const amounts = { day, hour, ...none }
  waiting.push(amounts)
  return amounts
}

export function difference(one: Amounts, other: Amounts): Amounts {
  return {
    left: one.left - other.left,
    borne: one.borne - other.borne,
    paid: one.paid - other.paid,
    underWay: one.underWay - other.underWay,
    atRisk: one.atRisk - other.atRisk,
  }
}

/**
 * The shared sums and what this process has added since, as far as it belongs to the current day and hours, without
 * what came later.
 */
export function sumsOf(subject: Subject, later: Amounts, nowMs: number): UnbilledSums {
  const hour = Math.floor(nowMs / hourMs)
  const day = Math.floor(hour / 24)
  const shared = atDay(subject.shared, day - Math.floor(subject.hour / 24))
  const sums = { ...none, paidYesterday: 0n }
  for (const added of [...subject.sent, ...subject.waiting]) {
    if (added.day === day) {
      sums.left += added.left
      sums.borne += added.borne
      sums.paid += added.paid
    } else if (added.day === day - 1) sums.paidYesterday += added.paid
    if (added.hour >= hour - 1) {
      sums.underWay += added.underWay
      sums.atRisk += added.atRisk
    }
  }
  return {
    left: atLeastZero(shared.left + sums.left - later.left),
    borne: atLeastZero(shared.borne + sums.borne - later.borne),
    paidToday: atLeastZero(shared.paidToday + sums.paid - later.paid),
    paidYesterday: nanoUsd(shared.paidYesterday + sums.paidYesterday),
    underWay: atLeastZero(shared.underWay + sums.underWay - later.underWay),
    atRisk: atLeastZero(shared.atRisk + sums.atRisk - later.atRisk),
  }
}

/** Sums that were read some days ago. Only while the shared store is unavailable are they older than an hour. */
function atDay(sums: UnbilledSums, daysAgo: number): UnbilledSums {
  if (daysAgo <= 0) return sums
  const paidYesterday = daysAgo === 1 ? sums.paidToday : zero
  return { ...sums, left: zero, borne: zero, paidToday: zero, paidYesterday }
}

// An estimate may be released to a sum that was dropped together with it.
function atLeastZero(amount: bigint): NanoUsd {
  return nanoUsd(amount < 0n ? 0n : amount)
}
