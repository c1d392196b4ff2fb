import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { type BatchedAuditTrail, createAuditTrail } from '#store/postgres/audit/audit-log.ts'
import { type BreakerTripsQueue, createBreakerTrips } from '#store/postgres/breakers/breaker-trips.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { createPostgresMoney, type MoneyQueues, settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { createPools, type PostgresPools } from '#store/postgres/pools.ts'
import { keepReplaying } from '#store/spool/keep-replaying.ts'
import { spoolBytes } from '#store/spool/spool-bytes.ts'
import { createSettleSpool, type SettleSpool } from '#store/spool/settle-spool.ts'
import { logFault } from '#lib/log-fault.ts'
import type { Refusals } from '#ports/refusals.ts'
import type { Metrics } from './metrics.ts'
import { wireRefusals } from './refusals.ts'
import { createSchema, type Schema } from '../schema.ts'

export interface Engines {
  pools: PostgresPools
  schema: Schema
  money: MoneyQueues
  auditTrail: BatchedAuditTrail
  breakerTrips: BreakerTripsQueue
  spool: SettleSpool
  refusals: Refusals
  close(): Promise<void>
}

const replayEveryMs = 1_000

/** Metrics of the batch queues and the Postgres connections. */
function watchEngines(
  metrics: Metrics,
  { pools, money, spoolFolder }: { pools: PostgresPools; money: MoneyQueues; spoolFolder: string },
): void {
  const { close: _close, ...named } = pools
  metrics.watchEach('weir_queue_depth', 'Holds and settlements queued or in flight.', ['queue'], () => [
    { labels: { queue: 'holds' }, value: money.depth.holds },
    { labels: { queue: 'settles' }, value: money.depth.settles },
  ])
  metrics.watchEach(
    'weir_postgres_connections',
    'Postgres connections by pool and state; waiting counts requests that wait for one.',
    ['pool', 'state'],
    () =>
      Object.entries(named).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        { labels: { pool, state: 'used' }, value: totalCount - idleCount },
        { labels: { pool, state: 'idle' }, value: idleCount },
        { labels: { pool, state: 'waiting' }, value: waitingCount },
      ]),
  )
  metrics.watchEach(
    'weir_spool_bytes',
    'Size of the spool folder in bytes, including rejected settlements.',
    [],
    async () => [{ labels: {}, value: await spoolBytes(spoolFolder) }],
  )
}

/**
 * Postgres, its batchers for money and for the audit log, and the spool that replaces the money batcher during an
 * outage.
 */
export function connectEngines(deps: {
  config: Config
  logger: Logger
  metrics: Metrics
  nowMs: () => number
}): Engines {
  const { config, logger, metrics, nowMs } = deps
  const pools = createPools({
    url: config.postgres.url,
    poolMax: config.postgres.poolMax,
    connectTimeoutMs: config.postgres.budgetMs,
    onError: logFault(logger, 'a Postgres connection was lost', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  const spoolFolder = join(config.dataDir, 'spool')
  const spool = createSettleSpool({
    folder: spoolFolder,
    settle: (entries) => settleDistinct(pools.settles, entries),
    isFinal: isDataFault,
    onRejected: (_line, error) =>
      logger.error({ err: error }, 'a spooled settlement was rejected permanently; see rejected.ndjson'),
  })
  const spooling = logFault(logger, 'a settlement was written to the spool', { level: 'warn', overAfterMs: 60_000 })
  const money = createPostgresMoney({
    holdPool: pools.holds,
    settlePool: pools.settles,
    spool,
    leaseMs: config.money.leaseMs,
    holdDeadlineMs: config.money.holdDeadlineMs,
    settleDeadlineMs: config.money.settleDeadlineMs,
    onSpooled: (error) => {
      metrics.spooled.inc()
      spooling.failed(error)
    },
    onBatch: ({ queue, size, ms }) => {
      metrics.batchSize.observe({ queue }, size)
      metrics.batchSeconds.observe({ queue }, ms / 1_000)
    },
  })
  const auditTrail = createAuditTrail(pools.general)
  const breakerTrips = createBreakerTrips(pools.general, nowMs)
  const refusals = wireRefusals({ logger, metrics, pools, nowMs })
  watchEngines(metrics, { pools, money, spoolFolder })
  metrics.watch('weir_spool_settlements', 'Settlements in the local spool.', () => spool.waiting)
  const replaying = keepReplaying({
    spool,
    everyMs: replayEveryMs,
    onReplayed: (replayed) => logger.info({ replayed }, 'replayed spooled settlements'),
    onError: (error) => logger.debug({ err: error }, "the spool can't be replayed yet"),
  })
  return {
    pools,
    schema: createSchema(pools.general),
    money,
    auditTrail,
    breakerTrips,
    spool,
    refusals,
    close: async () => {
      replaying.stop()
      await money.idle()
      await auditTrail.idle()
      await breakerTrips.idle()
      await refusals.close()
      await spool.replay().catch(() => 0)
      await pools.close()
    },
  }
}
