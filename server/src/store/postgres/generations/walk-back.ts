import { dayMs, startOf } from '#lib/utc-calendar.ts'
import { firstUuidAt, type Uuid, uuidTimeMs } from '#lib/uuid.ts'

// A statement locks every partition in its range with all of its indexes, and by default Postgres has room for about
// 6,400 locks over all statements.
const spanDaysMax = 32

// Planning takes about a quarter of a millisecond per day, with or without data.
const pageDaysMax = 127

/** Ids from `from` (inclusive) to `before` (exclusive). */
export interface IdRange {
  readonly from: Uuid
  readonly before: Uuid
}

export interface Looked<Listed> {
  readonly found: readonly Listed[]
  /** The last request that was read and how many were read up to it. Null if enough were found earlier. */
  readonly end: { readonly id: Uuid; readonly count: number } | null
}

interface Walk<Listed> {
  /** Ids start before this one, or before now. */
  readonly before: Uuid | null
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly nowMs: number
  readonly limit: number
  /** How many requests are read for a page. */
  readonly lookMax: number
  /** Reads the newest requests of a range: at most `lookMax`, until `limit` of them match. */
  readonly look: (range: IdRange & { readonly lookMax: number; readonly limit: number }) => Promise<Looked<Listed>>
  /** The start of the first day that can have requests. */
  readonly readFirstDay: () => Promise<number>
}

interface WalkedPage<Listed> {
  readonly records: readonly Listed[]
  readonly next: Uuid | null
}

/**
 * One page of requests that are stored by day. However few requests match, a page reads a limited number of requests
 * and goes back a limited number of days. It walks back in time in ranges of whole days. The first range is short,
 * because it usually fills the page. Each further range is twice as long as the one before it, so that few statements
 * are needed to go far back.
 */
export async function walkBack<Listed extends { readonly id: Uuid }>(walk: Walk<Listed>): Promise<WalkedPage<Listed>> {
  const { limit, lookMax, fromMs } = walk
  const start = startOfWalk(walk)
  const found: Listed[] = []
  let before = start
  let left = lookMax
  let first = firstUuidAt(fromMs ?? 0)
  let days = 0
  for (let spanDays = 1; before > first && days < pageDaysMax; spanDays = Math.min(2 * spanDays, spanDaysMax)) {
    const from = latest(firstUuidAt(startOf('day', uuidTimeMs(before) - 1) - spanDays * dayMs), first)
    // One more than requested tells whether there is a next page.
    const looked = await walk.look({ from, before, lookMax: left, limit: limit + 1 - found.length })
    found.push(...looked.found)
    if (found.length > limit) return { records: found.slice(0, limit), next: found[limit - 1]?.id ?? null }
    left -= looked.end?.count ?? 0
    if (left <= 0 && looked.end !== null) return cutOff(found, looked.end, start)
    if (before === start) first = latest(first, firstUuidAt(await walk.readFirstDay()))
    before = from
    days += spanDays
  }
  return { records: found, next: before > first ? before : null }
}

function latest(one: Uuid, other: Uuid): Uuid {
  return one > other ? one : other
}

/** Ids can be ahead of now only as far as clocks are, so the partitions of later days need not be opened. */
function startOfWalk({ before, toMs, nowMs }: Pick<Walk<never>, 'before' | 'toMs' | 'nowMs'>): Uuid {
  const bounds = [firstUuidAt(startOf('day', nowMs) + 2 * dayMs)]
  if (before !== null) bounds.push(before)
  if (toMs !== null) bounds.push(firstUuidAt(toMs))
  return bounds.reduce((earliest, bound) => (bound < earliest ? bound : earliest))
}

/**
 * The page of a walk that has read enough. The last request read may belong to another account, whose id must not be
 * shown. So the next page starts with the whole millisecond, and requests found in that millisecond are left to it.
 */
function cutOff<Listed extends { readonly id: Uuid }>(
  found: readonly Listed[],
  end: NonNullable<Looked<Listed>['end']>,
  start: Uuid,
): WalkedPage<Listed> {
  const next = firstUuidAt(uuidTimeMs(end.id) + 1)
  // All found requests are in one millisecond, so the id is the only way to continue.
  if (next >= start) return { records: found, next: end.id }
  return { records: found.filter(({ id }) => id >= next), next }
}
