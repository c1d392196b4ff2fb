import type { Pool } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'
import { Batcher } from '#lib/batcher.ts'
import { withDeadline } from '#lib/deadline.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { HoldRequest, HoldVerdict, Money, SettledCharge, SettleEntry } from '#ports/money.ts'
import type { SettleSpool } from '#store/spool/settle-spool.ts'
import { isDataFault, transientKind } from '../faults.ts'
import { extendHold, lapseHolds, placeHolds, renewHolds } from './holds.sql.ts'
import { intendedCharge, settleGenerations } from './settle-generations.sql.ts'

interface PostgresMoneyOptions {
  /** Connections with `synchronous_commit=off`: losing a hold in a crash loses no money. */
  holdPool: Pool
  settlePool: Pool
  spool: SettleSpool
  leaseMs: number
  holdDeadlineMs: number
  settleDeadlineMs: number
  onSpooled: (error: unknown) => void
  /** Called for each batch sent to Postgres, whatever its outcome. */
  onBatch?: (batch: { queue: 'holds' | 'settles'; size: number; ms: number }) => void
}

/** Batchers that combine concurrent work into one statement. See `lib/batcher.ts`. */
export interface MoneyQueues extends Money {
  /** Resolves when nothing is queued or in flight. */
  idle(): Promise<void>
  readonly depth: { holds: number; settles: number }
}

export function createPostgresMoney(options: PostgresMoneyOptions): MoneyQueues {
  const { holdPool, spool, leaseMs } = options
  const holdBatcher = createHoldBatcher(options)
  const settleBatcher = createSettleBatcher(options)

  // A settle that cannot be committed in time goes to the spool, which counts as committed.
  async function keep(entry: SettleEntry, error: unknown): Promise<SettledCharge> {
    options.onSpooled(error)
    await spool.append(entry)
    if (failpointsArmed) await failpoint('after-spool')
    return intendedCharge(entry.record)
  }

  return {
    hold: (request) => holdBatcher.add(request),
    settle: (entry) => settleBatcher.add(entry).catch((error: unknown) => keep(entry, error)),
    // A settle may wait for the extension, and must still reach the spool in time if Postgres does not respond.
    extend: (request) =>
      withDeadline(
        extendHold(holdPool, request, leaseMs),
        options.holdDeadlineMs,
        () => new Error('extending a hold timed out'),
      ),
    renew: (ids) => renewHolds(holdPool, ids, leaseMs),
    idle: async () => {
      await Promise.all([holdBatcher.idle(), settleBatcher.idle()])
    },
    get depth() {
      return { holds: holdBatcher.depth, settles: settleBatcher.depth }
    },
  }
}

function createHoldBatcher(options: PostgresMoneyOptions): Batcher<HoldRequest, HoldVerdict> {
  const { holdPool, leaseMs } = options
  // Holds that were granted after their clients had been rejected. The next sweep releases them. If this fails, their
  // lease expires a minute later.
  const lapse = (requests: readonly HoldRequest[]): Promise<void> => {
    const ids = requests.map(({ id }) => id)
    return lapseHolds(holdPool, ids)
  }
  return new Batcher({
    send: (requests) => {
      const timed = timer(options, 'holds', requests.length)
      const placing = withRetries((isRetry) => placeHolds(holdPool, requests, { leaseMs, isRetry }))
      return withDeadline(placing, options.holdDeadlineMs, () => {
        placing.then(() => lapse(requests)).catch(() => {})
        return new Error('placing holds timed out')
      }).finally(timed)
    },
    batchMax: 500,
    inFlightMax: 2,
    queueMax: 20_000,
    refusal: () => busy('too many holds are queued'),
    rejection: (error) => busy(error instanceof Error ? error.message : String(error)),
    isItemsFault: isDataFault,
  })
}

function createSettleBatcher(options: PostgresMoneyOptions): Batcher<SettleEntry, SettledCharge> {
  return new Batcher({
    send: (entries) =>
      withDeadline(
        withRetries(() => settleDistinct(options.settlePool, entries)),
        options.settleDeadlineMs,
        () => new Error('settling timed out'),
      ).finally(timer(options, 'settles', entries.length)),
    batchMax: 500,
    inFlightMax: 2,
    queueMax: 50_000,
    refusal: () => busy('too many settlements are queued'),
    isItemsFault: isDataFault,
  })
}

/** Starts now; the returned function reports the elapsed time. */
function timer({ onBatch }: PostgresMoneyOptions, queue: 'holds' | 'settles', size: number): () => void {
  const startedAtMs = performance.now()
  return () => onBatch?.({ queue, size, ms: performance.now() - startedAtMs })
}

function busy(inside: string): GatewayError {
  return new GatewayError('storeUnavailable', {
    message: 'The billing database is unavailable. Nothing was charged. Retry shortly.',
    inside,
    retryAfterS: 2,
  })
}

/** Several requests may settle the same generation at once. Each batch contains it once. */
export async function settleDistinct(pool: Pool, entries: readonly SettleEntry[]): Promise<SettledCharge[]> {
  const distinct = new Map<string, SettleEntry>()
  for (const entry of entries) if (!distinct.has(entry.record.id)) distinct.set(entry.record.id, entry)
  if (distinct.size === entries.length) return settleGenerations(pool, entries)
  const settled = await settleGenerations(pool, [...distinct.values()])
  const charges = new Map([...distinct.keys()].map((id, position) => [id, settled[position]]))
  return entries.map((entry) => charges.get(entry.record.id) ?? intendedCharge(entry.record))
}

const triesMax = 4

// Deadlocks and broken connections are retried immediately: holds and settles are idempotent by id.
async function withRetries<T>(send: (isRetry: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt > 1)
    } catch (error) {
      if (attempt >= triesMax || transientKind(error) === null) throw error
    }
  }
}
