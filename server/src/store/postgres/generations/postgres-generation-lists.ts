import type { Pool } from 'pg'
import { dayMs, startOf } from '#lib/utc-calendar.ts'
import { firstUuidAt, type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { GenerationListQuery, GenerationLists, GenerationPage, ListedGeneration } from '#ports/account-reads.ts'
import { refuseWhenAway } from '../faults.ts'
import { lookAtGenerations, type Looked, readFirstDay } from './look-at-generations.sql.ts'

// About 40 ms of Postgres' time if nothing matches.
const lookMaxDefault = 10_000

// A statement locks every partition in its range with all of its indexes, and by default Postgres has room for about
// 6,400 locks over all statements.
const spanDaysMax = 32

// Planning takes about a quarter of a millisecond per day, with or without data.
const pageDaysMax = 127

/**
 * Lists from Postgres. However few requests match, a page reads a limited number of requests and goes back a limited
 * number of days.
 */
export function createGenerationLists(pool: Pool, lookMax = lookMaxDefault): GenerationLists {
  return { list: (query) => refuseWhenAway(listPage(pool, query, lookMax)) }
}

/**
 * Walks back in time in ranges of whole days. The first range is short, because it usually fills the page. Each further
 * range is twice as long as the one before it, so that few statements are needed to go far back.
 */
async function listPage(pool: Pool, query: GenerationListQuery, lookMax: number): Promise<GenerationPage> {
  const { scope, filter, limit } = query
  const start = startOfWalk(query)
  const found: ListedGeneration[] = []
  let before = start
  let left = lookMax
  let first = firstUuidAt(filter.fromMs ?? 0)
  let days = 0
  for (let spanDays = 1; before > first && days < pageDaysMax; spanDays = Math.min(2 * spanDays, spanDaysMax)) {
    const from = latest(firstUuidAt(startOf('day', uuidTimeMs(before) - 1) - spanDays * dayMs), first)
    // One more than requested tells whether there is a next page.
    const wanted = limit + 1 - found.length
    const looked = await lookAtGenerations(pool, { scope, filter, from, before, lookMax: left, limit: wanted })
    found.push(...looked.found)
    if (found.length > limit) return { records: found.slice(0, limit), next: found[limit - 1]?.id ?? null }
    left -= looked.end?.count ?? 0
    if (left <= 0 && looked.end !== null) return cutOff(found, looked.end, start)
    if (before === start) first = latest(first, firstUuidAt(await readFirstDay(pool, scope.walletId)))
    before = from
    days += spanDays
  }
  return { records: found, next: before > first ? before : null }
}

function latest(one: Uuid, other: Uuid): Uuid {
  return one > other ? one : other
}

/** Ids can be ahead of now only as far as clocks are, so the partitions of later days need not be opened. */
function startOfWalk({ before, filter: { toMs }, nowMs }: GenerationListQuery): Uuid {
  const bounds = [firstUuidAt(startOf('day', nowMs) + 2 * dayMs)]
  if (before !== null) bounds.push(before)
  if (toMs !== null) bounds.push(firstUuidAt(toMs))
  return bounds.reduce((earliest, bound) => (bound < earliest ? bound : earliest))
}

/**
 * The page of a walk that has read enough. The last request read may belong to another account, whose id must not be
 * shown. So the next page starts with the whole millisecond, and requests found in that millisecond are left to it.
 */
function cutOff(found: readonly ListedGeneration[], end: NonNullable<Looked['end']>, start: Uuid): GenerationPage {
  const next = firstUuidAt(uuidTimeMs(end.id) + 1)
  // All found requests are in one millisecond, so the id is the only way to continue.
  if (next >= start) return { records: found, next: end.id }
  return { records: found.filter(({ id }) => id >= next), next }
}
