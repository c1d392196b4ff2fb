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
  /** Everything that this process ever added, and how many changes that were; how many were sent, and answered. */
  readonly total: Amounts
  changes: number
  sentChanges: number
  answeredChanges: number
  /** Added since the last message. */
  unsynced: bigint
  /** How often other processes announced unpaid cost; and how often before the last message that was answered. */
  announced: number
  announcedBefore: number
  /** The period of announcements in which the last message that was answered was sent. */
  period: number | null
  syncing: Promise<boolean> | null
}

interface SentAt {
  readonly nowMs: number
  readonly announced: number
  readonly period: number | null
}

/** Adds a change, and returns whether there was one. */
export function noteChange(subject: Subject, change: UnbilledChange, nowMs: number): boolean {
  const left = countable(change.left)
  const borne = countable(change.borne)
  const paid = countable(change.paid)
  const underWay = countable(change.underWay)
  const atRisk = countable(change.atRisk)
  if (left === 0n && borne === 0n && paid === 0n && underWay === 0n && atRisk === 0n) return false
  const amounts = { left, borne, paid, underWay, atRisk }
  addTo(subject.total, amounts)
  addTo(datedAmounts(subject, nowMs, change.sinceMs ?? nowMs), amounts)
  const unpaid = plus(atLeastZero(left), atLeastZero(borne))
  const possible = plus(atLeastZero(underWay), atLeastZero(atRisk))
  subject.unsynced = plus(plus(subject.unsynced, unpaid), possible)
  subject.changes += 1
  return true
}

/** Ten million dollars: sums of such amounts still fit the integers of Redis. */
const amountMax = 10_000_000_000_000_000n
const amountMin = -amountMax

function countable(amount = 0n): bigint {
  if (amount > amountMax) return amountMax
  return amount < amountMin ? amountMin : amount
}

function addTo(sums: Amounts, { left, borne, paid, underWay, atRisk }: Readonly<Amounts>): void {
  sums.left = plus(sums.left, left)
  sums.borne = plus(sums.borne, borne)
  sums.paid = plus(sums.paid, paid)
  sums.underWay = plus(sums.underWay, underWay)
  sums.atRisk = plus(sums.atRisk, atRisk)
}

/** Most amounts of a request are zero. Adding a zero with `+` would allocate a new BigInt. */
function plus(one: bigint, other: bigint): NanoUsd {
  return nanoUsd(other === 0n ? one : one + other)
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

/** The shared store has everything that was sent at a time, and answered with these sums. */
export function confirm(subject: Subject, sums: UnbilledSums, { nowMs, announced, period }: SentAt): void {
  subject.announcedBefore = announced
  subject.period = period
  subject.sent = []
  subject.answeredChanges = subject.sentChanges
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
    answeredChanges: 0,
    unsynced: 0n,
    announced: 0,
    announcedBefore: 0,
    period: null,
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
  const shared = atDay(subject.shared, Math.floor(hour / 24) - Math.floor(subject.hour / 24))
  const sums: MutableSums = { ...shared }
  for (const added of subject.sent) addDated(sums, added, hour)
  for (const added of subject.waiting) addDated(sums, added, hour)
  sums.left = atLeastZero(minus(sums.left, later.left))
  sums.borne = atLeastZero(minus(sums.borne, later.borne))
  sums.paidToday = atLeastZero(minus(sums.paidToday, later.paid))
  sums.underWay = atLeastZero(minus(sums.underWay, later.underWay))
  sums.atRisk = atLeastZero(minus(sums.atRisk, later.atRisk))
  return sums
}

type MutableSums = Record<keyof UnbilledSums, NanoUsd>

function addDated(sums: MutableSums, added: DatedAmounts, hour: number): void {
  const day = Math.floor(hour / 24)
  if (added.day === day) {
    sums.left = plus(sums.left, added.left)
    sums.borne = plus(sums.borne, added.borne)
    sums.paidToday = plus(sums.paidToday, added.paid)
  } else if (added.day === day - 1) sums.paidYesterday = plus(sums.paidYesterday, added.paid)
  if (added.hour >= hour - 1) {
    sums.underWay = plus(sums.underWay, added.underWay)
    sums.atRisk = plus(sums.atRisk, added.atRisk)
  }
}

function minus(one: bigint, other: bigint): NanoUsd {
  return nanoUsd(other === 0n ? one : one - other)
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
