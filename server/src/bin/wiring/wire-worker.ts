import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { workerOutbound } from '#config/outbound-limits.ts'
import { blobFolders } from '#config/writable-folders.ts'
import { networkList } from '#domain/access/network-list.ts'
import { createOperatingServer } from '#http/operating/operating-server.ts'
import { judgeWorker } from '#http/operating/readiness.ts'
import type { Part } from '#jobs/part.ts'
import { partitionsPart } from '#jobs/partitions.ts'
import { superviseLater } from '#jobs/supervise-later.ts'
import { sweepPart } from '#jobs/sweep.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { createPools } from '#store/postgres/pools.ts'
import { ensurePartitions } from '#store/postgres/usage/postgres-retention.ts'
import { closeInOrder } from '../close-in-order.ts'
import { listenOn } from '../listen-on.ts'
import { proveWritable } from '../prove-writable.ts'
import { createSchema } from '../schema.ts'
import { wireEvents } from './events-worker.ts'
import { logFault } from '#lib/log-fault.ts'
import { wireOutbound } from './outbound.ts'
import { realOutside } from './outside.ts'
import { purgeParts } from './purges.ts'
import { wireReconciliation } from './reconciliation.ts'
import { wireRetention } from './retention.ts'
import { keepRouting } from './routing.ts'
import { wireStorage } from './storage.ts'
import { wireRollup } from './usage-worker.ts'
import { wireVideoWorker } from './video-worker.ts'
import { watchParts } from './watch-parts.ts'
import { createWorkerMetrics } from './worker-metrics.ts'

export interface Worker {
  /** Gives the address on which it says how it is doing. */
  start(): Promise<string>
  /** Lets what is under way come to its end, then closes everything. */
  close(): Promise<void>
}

const partitionsAheadDays = 7
const partitionsEveryMs = 3_600_000

/** One worker process, all parts put together by hand. */
export function wireWorker(config: Config, logger: Logger): Worker {
  const pools = createPools({
    url: config.postgres.url,
    poolMax: 4,
    onError: logFault(logger, 'a Postgres connection broke', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  const pool = pools.general
  const schema = createSchema(pool)
  const outbound = wireOutbound({ config, outside: realOutside, limits: workerOutbound(config) })
  const storage = wireStorage({ config, logger, outbound })
  const routing = keepRouting(config, pools, logger)
  const videos = wireVideoWorker({ config, logger, pools, routing, storage, outbound })
  const events = wireEvents({ config, logger, lookup: outbound.lookup })
  const partitions = partitionsPart({
    ensure: () => ensurePartitions(pool, partitionsAheadDays),
    everyMs: partitionsEveryMs,
    onMade: (made) => logger.info({ made }, 'partitions made'),
  })
  const parts: readonly Part[] = [
    partitions,
    sweepPart({
      name: 'sweep',
      sweep: (atMost) => sweepHolds(pool, atMost),
      everyMs: config.money.sweepIntervalMs,
      onSwept: (count) => logger.info({ count }, 'lapsed holds were returned'),
    }),
    wireRollup({ config, logger }),
    wireReconciliation({ config, logger }),
    wireRetention({ pool, config, logger }),
    ...purgeParts({ pool, blobs: storage.blobs, config, logger }),
    routing.part,
    ...videos.parts,
    ...events.parts,
  ]
  const supervisor = superviseLater({ parts, watch: watchParts(logger), nowMs: Date.now })
  let isDraining = false
  const { registry } = createWorkerMetrics(() => supervisor.parts)
  const server = createOperatingServer({
    readiness: async () =>
      judgeWorker({
        isStarting: !supervisor.isStarted,
        isDraining,
        schema: await schema.read(),
        parts: supervisor.parts,
      }),
    metrics: () => registry.metrics(),
    mayReadMetrics: networkList(config.metrics.readers).covers,
  })
  return {
    start: async () => {
      await proveWritable(blobFolders(config))
      await schema.prove()
      const address = await listenOn(server, config.worker, { key: 'worker.port', variable: 'WEIR_WORKER_PORT' })
      await begin(partitions, routing.part)
      supervisor.start()
      return address
    },
    close: async () => {
      isDraining = true
      await closeInOrder([
        supervisor.stop,
        videos.close,
        events.close,
        storage.close,
        () => server.close(),
        pools.close,
      ])
    },
  }
}

/** What others build upon comes first. Should it fail, it is told of when its turn comes. */
async function begin(...parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.round(new AbortController().signal).catch(() => {})
}
