import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { watchUnusedConnections } from '#http/unused-connections.ts'
import { wireAdmission } from './admission.ts'
import { wireEdge } from './edge.ts'
import { connectEngines } from './engines.ts'
import { wireFilters } from './filters.ts'
import { wireInstitutions } from './institutions.ts'
import { wireMailer } from './mailer.ts'
import { wireMeasurements } from './measurements.ts'
import { wireMedia } from './media.ts'
import { createMetrics } from './metrics.ts'
import { wireSignIn } from './sign-in.ts'
import { wireModeration } from './moderation.ts'
import { type Outside, realOutside } from './outside.ts'
import { wireOwnKeys } from './own-keys.ts'
import { keepSnapshots } from './snapshots.ts'
import { wireStages } from './stages.ts'
import { wireStorage } from './storage.ts'
import { wireUploads } from './uploads.ts'
import { wireUsage } from './usage.ts'
import { wireVideos } from './videos.ts'

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
export function wireGateway(config: Config, logger: Logger, outside: Outside = realOutside): Gateway {
  const { nowMs } = outside
  const metrics = createMetrics()
  const engines = connectEngines({ config, logger, metrics, nowMs })
  const { pools, money, auditTrail } = engines
  const common = { config, logger, metrics, pools, nowMs }
  const ownKeys = wireOwnKeys({ ...common, outside })
  const snapshots = keepSnapshots(config, pools, logger, { ownKeys: ownKeys.load })
  const filters = wireFilters({ ...common, auditTrail, timeoutMs: config.filters.timeoutMs })
  const admission = wireAdmission({ ...common, snapshots, alsoForget: filters.invalidate })
  const mailer = wireMailer(config, logger)
  const institutions = wireInstitutions({ ...common, admission, auditTrail, mailer })
  const moderation = wireModeration({ ...common, engine: filters.engine })
  const measurements = wireMeasurements(common)
  const { book } = measurements
  const parts = { ...common, snapshots, admission, filters, institutions, ownKeys, measurements: book }
  const uploads = wireUploads(config, nowMs)
  const storage = wireStorage({ config, logger, outside })
  const media = wireMedia({ ...common, storage, folders: uploads.folders })
  const videos = wireVideos({ config, pools, storage })
  const wired = wireStages({ ...parts, media, videos, money, moderation, breakerTrips: engines.breakerTrips, outside })
  const signIn = wireSignIn({ ...common, mailer })
  const usage = wireUsage({ config, logger, pools })
  let draining = false
  const { stages } = wired
  const isDraining = (): boolean => draining
  const server = wireEdge({ ...parts, media, videos, usage, stages, signIn, uploads, isDraining })
  const unused = watchUnusedConnections(server.server)
  return {
    server,
    prepare: async () => {
      await engines.spool
        .replay()
        .catch((error: unknown) => logger.warn({ err: error }, 'the spool waits for Postgres'))
      await uploads.prepare()
      await snapshots.refresh()
    },
    refresh: snapshots.refresh,
    drain: async () => {
      draining = true
      // Requests go on coming until the balancer has asked `/ready` once more; refusing them now would fail them.
      await wait(config.drain.noticeMs)
      // A connection that is kept alive becomes idle only after its answer, and would hold the server open for 75 s more.
      const closeIdle = setInterval(() => {
        server.server.closeIdleConnections()
        unused.close()
      }, closeIdleEveryMs)
      await server.close().finally(() => clearInterval(closeIdle))
      snapshots.stop()
      await wired.close()
      measurements.close()
      usage.close()
      await ownKeys.close()
      await storage.close()
      await institutions.close()
      await signIn.close()
      admission.close()
      await moderation.close()
      await filters.close()
      await engines.close()
    },
  }
}
