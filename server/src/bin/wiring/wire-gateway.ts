import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { wireAdmission } from './admission.ts'
import { wireEdge } from './edge.ts'
import { connectEngines } from './engines.ts'
import { createMetrics } from './metrics.ts'
import { keepSnapshots } from './snapshots.ts'
import { wireStages } from './stages.ts'

export interface Gateway {
  server: FastifyInstance
  /** Loads what must be in memory before the first request. */
  prepare(): Promise<void>
  /** Takes up changed routes and prices now, instead of within a second. */
  refresh(): Promise<void>
  /** Stops taking requests, lets running ones end, then closes everything. */
  drain(): Promise<void>
}

const closeIdleEveryMs = 50

/** One gateway process, all parts put together by hand. */
export function wireGateway(config: Config, logger: Logger): Gateway {
  const metrics = createMetrics()
  const engines = connectEngines(config, logger, metrics)
  const { pools, money } = engines
  const snapshots = keepSnapshots(config, pools, logger)
  const admission = wireAdmission({ config, logger, metrics, pools, snapshots })
  const wired = wireStages({ config, logger, metrics, snapshots, money, admission })
  let draining = false
  const server = wireEdge({
    config,
    logger,
    metrics,
    pools,
    snapshots,
    admission,
    stages: wired.stages,
    isDraining: () => draining,
  })
  return {
    server,
    prepare: async () => {
      await engines.spool
        .replay()
        .catch((error: unknown) => logger.warn({ err: error }, 'the spool waits for Postgres'))
      await snapshots.refresh()
    },
    refresh: snapshots.refresh,
    drain: async () => {
      draining = true
      // Requests go on coming until the balancer has asked `/ready` once more; refusing them now would fail them.
      await wait(config.drain.noticeMs)
      // A connection that is kept alive becomes idle only after its answer, and would hold the server open for 75 s more.
      const closeIdle = setInterval(() => server.server.closeIdleConnections(), closeIdleEveryMs)
      await server.close().finally(() => clearInterval(closeIdle))
      snapshots.stop()
      await wired.close()
      admission.close()
      await engines.close()
    },
  }
}
