import { isFarBelowLimits, type UnbilledRules, type UnbilledSums, unsyncedMaxOf } from '#domain/limits/unbilled.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { setBounded, useRecent } from '#lib/set-bounded.ts'
import { realTimers, type Timers } from '#lib/timers.ts'
import type { Unbilled, UnbilledChange } from '#ports/shared-counts.ts'
import type { SharedUnbilled, UnbilledAnnouncements } from './redis-unbilled.ts'
import {
  confirm,
  difference,
  isSent,
  newSubject,
  none,
  noteChange,
  numberChanges,
  type Subject,
  sumsOf,
} from './unbilled-subject.ts'

const hourMs = 3_600_000
const flushEveryMs = 100
/** Subjects that are sent together. */
const flushMax = 500

export interface SyncedUnbilledOptions {
  /** Resolves to null while the shared store is unavailable. */
  readonly sync: (...message: Parameters<SharedUnbilled['sync']>) => Promise<UnbilledSums | null>
  /** What other processes announce to `outdate`. */
  readonly announcements: () => UnbilledAnnouncements
  readonly rules: UnbilledRules
  readonly nowMs: () => number
  readonly maxSubjects?: number
  readonly timers?: Timers
}

interface SyncedUnbilled extends Unbilled {
  /** Another process added unpaid cost, so the sums are read before the next request is judged. */
  outdate(subject: string): void
  /** Sends what waits. */
  close(): Promise<void>
}

/**
 * Sums that this process keeps and shares with the others. An ordinary request needs no message: changes are collected
 * and sent every 100 ms, and each message returns the sums of all processes. Unpaid cost is sent at once, and
 * announced to the other processes. A subject is synced first if this process does not know it, has not heard of it
 * for 100 ms, heard or may have missed that another process added unpaid cost, has itself added a tenth of the
 * allowance since, or sees sums that are not far below the limits. So near a limit every request sees the sums of all
 * processes. While the shared store is unavailable a process uses its own sums. Beyond `maxSubjects` the least
 * recently used subjects are dropped.
 */
export function createSyncedUnbilled(options: SyncedUnbilledOptions): SyncedUnbilled {
  const { sync, announcements, rules, nowMs: clock, maxSubjects = 100_000, timers = realTimers } = options
  const unsyncedMax = unsyncedMaxOf(rules)
  const subjects = new Map<string, Subject>()
  const changed = new Map<string, Subject>()
  let sequence = 0
  let isFlushDue = false

  function add(id: string, change: UnbilledChange, nowMs: number): UnbilledSums | Promise<UnbilledSums> {
    const subject = useRecent(subjects, id, () => changed.get(id) ?? newSubject(id), maxSubjects)
    if (noteChange(subject, change, nowMs)) {
      setBounded(changed, id, subject, maxSubjects)
      flushSoon()
    }
    if (!hasUnpaid(change) && subject.unsynced <= unsyncedMax && isFresh(subject, nowMs, announcements())) {
      const sums = sumsOf(subject, none, nowMs)
      if (isFarBelowLimits(sums, rules)) return sums
    }
    const seen = { ...subject.total }
    // Requests that share a message see those before them, as if each had sent its own.
    return carry(subject, subject.changes).then(() => sumsOf(subject, difference(subject.total, seen), nowMs))
  }

  function flushSoon(): void {
    if (isFlushDue) return
    isFlushDue = true
    timers.after(flushEveryMs, flush).unref()
  }

  function flush(): void {
    isFlushDue = false
    // Those that could not be sent stay in front, so an outage costs no more than this.
    for (const subject of [...changed.values()].slice(0, flushMax)) void syncOnce(subject)
    if (changed.size > flushMax) flushSoon()
  }

  /** Waits for the answer to a message with all changes up to this one, or for the shared store to fail. */
  async function carry(subject: Subject, changes: number): Promise<void> {
    while ((await syncOnce(subject)) && subject.answeredChanges < changes);
  }

  /** One message at a time for each subject, so that its numbers arrive in order. Returns whether it was confirmed. */
  function syncOnce(subject: Subject): Promise<boolean> {
    subject.syncing ??= send(subject).finally(() => {
      subject.syncing = null
      if (isSent(subject)) changed.delete(subject.id)
      else flushSoon()
    })
    return subject.syncing
  }

  async function send(subject: Subject): Promise<boolean> {
    const nowMs = clock()
    // What was sent before comes first: its numbers are lower.
    if (subject.sent.length === 0) {
      sequence = numberChanges(subject, sequence, nowMs)
    }
    const { announced } = subject
    const { period } = announcements()
    const sums = await sync(subject.id, subject.sent, nowMs)
    if (sums === null) return false
    confirm(subject, sums, { nowMs, announced, period })
    return true
  }

  /** Sends what waits, until the shared store fails. */
  async function sendRest(subject: Subject): Promise<void> {
    await subject.syncing
    while (!isSent(subject) && (await syncOnce(subject)));
  }

  return {
    add,
    outdate: (id) => {
      const subject = subjects.get(id)
      if (subject !== undefined) subject.announced += 1
    },
    close: async () => void (await Promise.all([...changed.values()].map(sendRest))),
  }
}

/** Whether nothing of importance can have changed since the last message. */
function isFresh(subject: Subject, nowMs: number, { period }: UnbilledAnnouncements): boolean {
  const ageMs = nowMs - subject.syncedAtMs
  const isRecent = ageMs >= 0 && ageMs < flushEveryMs && subject.hour === Math.floor(nowMs / hourMs)
  const isHeard = period !== null && subject.period === period && subject.announced === subject.announcedBefore
  return isRecent && isHeard
}

/** Its request may be the one that exceeds a limit, which is reported. */
function hasUnpaid({ left = zeroUsd, borne = zeroUsd }: UnbilledChange): boolean {
  return left > 0n || borne > 0n
}
