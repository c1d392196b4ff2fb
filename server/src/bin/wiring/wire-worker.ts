import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { workerOutbound } from '#config/outbound-limits.ts'
import { blobFolders } from '#config/writable-folders.ts'
import { databaseDiskBytes } from '#control/standing/judge-database-size.ts'
import { networkList } from '#domain/access/network-list.ts'
import { createOperatingServer } from '#http/operating/operating-server.ts'
import { judgeWorker } from '#http/operating/readiness.ts'
import { superviseLater } from '#jobs/supervise-later.ts'
import type { SupervisorOptions } from '#jobs/supervise.ts'
import { workerParts, type WorkerSettings } from '#jobs/worker-parts.ts'
import { keepFigures } from '#lib/keep-figures.ts'
import { logFault } from '#lib/log-fault.ts'
import { readDebt, readWorkerFigures, type WorkerFigure } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { createGrants } from '#store/postgres/wallets/postgres-grants.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { createPools, workerPoolMax } from '#store/postgres/pools.ts'
import { createProvisioning } from '#store/postgres/provisioning/provisioning-store.ts'
import { readDatabaseFigures } from '#store/postgres/standing/database-size.sql.ts'
import { createPostgresRetention, ensurePartitions } from '#store/postgres/usage/postgres-retention.ts'
import { closeInOrder } from '../close-in-order.ts'
import { listenOn } from '../listen-on.ts'
import { proveWritable } from '../prove-writable.ts'
import { createSchema } from '../schema.ts'
import { wireBillingJobs } from './billing-worker.ts'
import { wireIndexes, wireReconciliation, wireRollup } from './reconciliation-worker.ts'
import { wireCatalogueSync } from './catalogue-worker.ts'
import { wireEvents } from './events-worker.ts'
import { wireNotices } from './notices-worker.ts'
import { wireOutbound } from './outbound.ts'
import { realOutside } from './outside.ts'
import { wirePaymentJobs } from './payments-worker.ts'
import { wirePurges } from './purges.ts'
import { keepRouting } from './routing.ts'
import { wireStorage } from './storage.ts'
import { wireVideoWorker } from './video-worker.ts'
import { createWorkerMetrics } from './worker-metrics.ts'

export interface Worker {
  /** Returns the address of its health endpoints. */
  start(): Promise<string>
  /** Finishes running work, then closes everything. */
  close(): Promise<void>
}

// Scrapes come every 15 s or more; several scrapers share one read.
const figuresEveryMs = 10_000
// It reads every wallet, and debt arises only from refunds and disputes, which are few.
const debtEveryMs = 300_000
// Postgres looks at every file of the database for it.
const sizeEveryMs = 60_000

/** Wires the parts of one worker process. */
export function wireWorker(config: Config, logger: Logger): Worker {
  const pools = createPools({
    url: config.postgres.url,
    poolMax: workerPoolMax,
    name: 'weir worker',
    onError: logFault(logger, 'a Postgres connection was lost', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  const pool = pools.general
  const schema = createSchema(pool)
  const outbound = wireOutbound({ config, outside: realOutside, limits: workerOutbound(config) })
  const storage = wireStorage({ config, logger, outbound })
  const routing = keepRouting(config, pools, logger)
  const videos = wireVideoWorker({ config, logger, pools, routing, storage, outbound })
  const events = wireEvents({ config, logger, lookup: outbound.lookup })
  const catalogue = wireCatalogueSync({ config, logger, pool, resolve: outbound.resolve })
  const figures = keepWorkerFigures(config, pool, logger)
  const { shown, booksAgree, mails } = createWorkerMetrics({ parts: () => supervisor.parts, figures })
  const parts = workerParts({
    ensurePartitions: (aheadDays) => ensurePartitions(pool, aheadDays),
    sweepHolds: (atMost) => sweepHolds(pool, atMost),
    grants: createGrants(pool),
    rollup: wireRollup({ config, logger }),
    reconciliation: wireReconciliation({ config, logger }),
    onReconciled: (agree) => booksAgree.set(Number(agree)),
    retention: createPostgresRetention(pool),
    purges: wirePurges({ pool, blobs: storage.blobs, config }),
    indexes: wireIndexes({ config, logger }),
    followRouting: routing.follow,
    videos: videos.videos,
    webhooks: videos.webhooks,
    events: events.deps,
    catalogue: catalogue.deps,
    payments: wirePaymentJobs({ config, logger, pool }),
    billing: wireBillingJobs({ config, logger, pool }),
    ...wireNotices({ config, logger, pool, counter: mails }),
    // A worker has no Redis: gateways notice a new place within 15 s, when their copies of keys expire.
    provisioning: { provisioning: createProvisioning(pool), announce: async () => {} },
    settings: settingsOf(config),
    nowMs: Date.now,
    log: logger,
  })
  const supervisor = superviseLater({ parts, watch: watchParts(logger), nowMs: Date.now })
  let isDraining = false
  const server = createOperatingServer({
    readiness: async () =>
      judgeWorker({
        isStarting: !supervisor.isStarted,
        isDraining,
        schema: await schema.read(),
        parts: supervisor.parts,
      }),
    figures: shown,
    mayReadMetrics: networkList(config.metrics.readers).covers,
  })
  return {
    start: async () => {
      await proveWritable(blobFolders(config))
      await schema.prove()
      const address = await listenOn(server, config.worker, { key: 'worker', variable: 'WEIR_WORKER' })
      await supervisor.start()
      return address
    },
    close: async () => {
      isDraining = true
      const working = [supervisor.stop, videos.close, events.close, catalogue.close, storage.close]
      await closeInOrder([...working, () => server.close(), pools.close])
    },
  }
}

function settingsOf(config: Config): WorkerSettings {
  return {
    sweepEveryMs: config.money.sweepIntervalMs,
    rollupEveryMs: config.usage.rollupMs,
    rollupBatchMax: config.usage.rollupBatch,
    reconcileEveryMs: config.audit.everyMs,
    retention: config.retention,
    routingEveryMs: config.revisions.pollMs,
    lookEveryMs: config.video.lookEveryMs,
  }
}

/** Logs the failures of each worker part. */
export function watchParts(logger: Logger): SupervisorOptions['watch'] {
  return (name) => logFault(logger, `worker task "${name}" failed`)
}

function keepWorkerFigures({ postgres }: Config, pool: Pool, logger: Logger): () => Promise<readonly WorkerFigure[]> {
  const fault = logFault(logger, 'failed to read worker metrics', { level: 'warn', overAfterMs: 60_000 })
  const common = { nowMs: Date.now, onError: fault.failed }
  const backlog = keepFigures({ ...common, read: () => readWorkerFigures(pool), everyMs: figuresEveryMs })
  const debt = keepFigures({ ...common, read: () => readDebt(pool), everyMs: debtEveryMs })
  const size = keepFigures({
    ...common,
    read: () => readDatabaseFigures(pool, databaseDiskBytes(postgres)),
    everyMs: sizeEveryMs,
  })
  return async () => (await Promise.all([backlog(), debt(), size()])).flat()
}
