import { isFarBelowLimits, type UnbilledRules, type UnbilledSums, unsyncedMaxOf } from '#domain/limits/unbilled.ts'
import { useRecent } from '#lib/set-bounded.ts'
import { realTimers, type Timers } from '#lib/timers.ts'
import type { Unbilled, UnbilledChange } from '#ports/shared-counts.ts'
import type { SharedUnbilled } from './redis-unbilled.ts'
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

export interface SyncedUnbilledOptions {
  /** Resolves to null while the shared store is unavailable. */
  readonly sync: (...message: Parameters<SharedUnbilled['sync']>) => Promise<UnbilledSums | null>
  readonly rules: UnbilledRules
  readonly nowMs: () => number
  readonly maxSubjects?: number
  readonly timers?: Timers
}

/**
 * Sums that this process keeps and shares with the others. An ordinary request needs no message: changes are collected
 * and sent every 100 ms, and each message returns the sums of all processes. A subject is synced first if this process
 * does not know it, has not heard of it for 100 ms, has itself added a tenth of the allowance since, or sees sums that
 * are not far below the limits. So near a limit every request sees the sums of all processes, and a process that is
 * wrong about them exceeds a limit by no more than a tenth of the allowance. While the shared store is unavailable a
 * process uses its own sums. Beyond `maxSubjects` the least recently used subjects are dropped.
 */
export function createSyncedUnbilled(options: SyncedUnbilledOptions): Unbilled & { close(): Promise<void> } {
  const { sync, rules, nowMs: clock, maxSubjects = 100_000, timers = realTimers } = options
  const unsyncedMax = unsyncedMaxOf(rules)
  const subjects = new Map<string, Subject>()
  const changed = new Set<Subject>()
  let sequence = 0
  let isFlushDue = false

  function add(id: string, change: UnbilledChange, nowMs: number): UnbilledSums | Promise<UnbilledSums> {
    const subject = useRecent(subjects, id, () => newSubject(id), maxSubjects)
    if (noteChange(subject, change, nowMs)) {
      changed.add(subject)
      flushSoon()
    }
    if (isKnown(subject, nowMs)) {
      const sums = sumsOf(subject, none, nowMs)
      if (isFarBelowLimits(sums, rules)) return sums
    }
    const seen = { ...subject.total }
    // Requests that share a message see those before them, as if each had sent its own.
    return carry(subject, subject.changes).then(() => sumsOf(subject, difference(subject.total, seen), nowMs))
  }

  function isKnown(subject: Subject, nowMs: number): boolean {
    const ageMs = nowMs - subject.syncedAtMs
    const isFresh = ageMs >= 0 && ageMs < flushEveryMs && subject.hour === Math.floor(nowMs / hourMs)
    return isFresh && subject.unsynced <= unsyncedMax
  }

  function flushSoon(): void {
    if (isFlushDue) return
    isFlushDue = true
    timers.after(flushEveryMs, flush).unref()
  }

  function flush(): void {
    isFlushDue = false
    for (const subject of changed) void syncOnce(subject)
  }

  /** Waits for a message that contains all changes up to this one, or for the shared store to fail. */
  async function carry(subject: Subject, changes: number): Promise<void> {
    while ((await syncOnce(subject)) && subject.sentChanges < changes);
  }

  /** One message at a time for each subject, so that its numbers arrive in order. Returns whether it was confirmed. */
  function syncOnce(subject: Subject): Promise<boolean> {
    subject.syncing ??= send(subject).finally(() => {
      subject.syncing = null
      if (isSent(subject)) changed.delete(subject)
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
    const sums = await sync(subject.id, subject.sent, nowMs)
    if (sums === null) return false
    confirm(subject, sums, nowMs)
    return true
  }

  /** Sends what waits, once. */
  async function sendRest(subject: Subject): Promise<void> {
    await subject.syncing
    if (!isSent(subject)) await syncOnce(subject)
  }

  return { add, close: async () => void (await Promise.all([...changed].map(sendRest))) }
}
