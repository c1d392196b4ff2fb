import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { gatewayOutbound } from '#config/outbound-limits.ts'
import { gatewayFolders } from '#config/writable-folders.ts'
import { watchUnusedConnections } from '#http/unused-connections.ts'
import { errorText } from '#lib/error-text.ts'
import { closeInOrder } from '../close-in-order.ts'
import { proveWritable } from '../prove-writable.ts'
import { wireAdmission } from './admission.ts'
import { wireBatches } from './batches.ts'
import { wireCircuits } from './circuits.ts'
import { wireEdge } from './edge.ts'
import { connectEngines, type Engines } from './engines.ts'
import { wireFilters } from './filters.ts'
import { wireInstitutions } from './institutions.ts'
import { wireMail } from './mail.ts'
import { wireMeasurements } from './measurements.ts'
import { wireMedia } from './media.ts'
import { createMetrics } from './metrics.ts'
import { wireModeration } from './moderation.ts'
import { wireOperating } from './operating.ts'
import { wireOutbound } from './outbound.ts'
import { type Outside, realOutside } from './outside.ts'
import { wireOwnKeys } from './own-keys.ts'
import { wireRedis } from './redis.ts'
import { wireSignIn } from './sign-in.ts'
import { wireSignOn } from './sign-on.ts'
import { keepSnapshots, type Snapshots } from './snapshots.ts'
import { wireStages } from './stages.ts'
import { wireStorage } from './storage.ts'
import { type WiredUploads, wireUploads } from './uploads.ts'
import { wireTracing } from './tracing.ts'
import { wireUsage } from './usage.ts'
import { wireVideos } from './videos.ts'
import { wireWalletWatch } from './wallet-watch.ts'

export interface Gateway {
  server: FastifyInstance
  /** Health, readiness and metrics, on a separate port. */
  operating: FastifyInstance
  /** Loads the data that must be in memory before the first request. */
  prepare(): Promise<void>
  /** Applies changed routes and prices now, instead of within a second. */
  refresh(): Promise<void>
  /** Announces the shutdown, then leaves. */
  drain(): Promise<void>
  /** Stops accepting requests, finishes running ones, then closes everything. */
  leave(): Promise<void>
  /** Closes everything at once, for a gateway that has never served. */
  close(): Promise<void>
}

const closeIdleEveryMs = 50

/** Wires the parts of one gateway process. */
export function wireGateway(config: Config, logger: Logger, outside: Outside = realOutside): Gateway {
  const metrics = createMetrics()
  const engines = connectEngines({ config, logger, metrics, nowMs: outside.nowMs })
  const { pools, schema, money, auditTrail } = engines
  const redis = wireRedis(config, logger)
  const common = { config, logger, metrics, pools, redis, nowMs: outside.nowMs }
  const outbound = wireOutbound({ config, outside, limits: gatewayOutbound(config) })
  const tracing = wireTracing({ ...common, outbound })
  const ownKeys = wireOwnKeys({ ...common, outside, outbound })
  const snapshots = keepSnapshots(config, pools, logger, { ownKeys: ownKeys.load })
  const filters = wireFilters({ ...common, ...filterTimes(config) })
  const admission = wireAdmission({ ...common, snapshots, alsoForget: filters.rules.invalidate })
  const mail = wireMail({ ...common, pool: pools.general, counter: metrics.mails })
  const institutions = wireInstitutions({ ...common, admission, auditTrail, post: mail.post })
  const moderation = wireModeration({ ...common, engine: filters.engine, lookup: outbound.lookup })
  const measurements = wireMeasurements(common)
  const parts = { ...common, snapshots, admission, filters, institutions, ownKeys, measurements: measurements.store }
  const uploads = wireUploads(config, outside.nowMs)
  const storage = wireStorage({ config, logger, outbound })
  const media = wireMedia({ ...common, storage, folders: uploads.folders })
  const videos = wireVideos({ config, pools, storage })
  const circuits = wireCircuits({ ...common, auditTrail })
  const made = { tracing, media, videos, money, moderation, breakerTrips: engines.breakerTrips, auditTrail, circuits }
  const wired = wireStages({ ...parts, ...made, storage, refusals: engines.refusals, outside, lookup: outbound.lookup })
  const batches = wireBatches({ ...common, storage, outside, ...wired.served })
  const signIn = wireSignIn({ ...common, mail })
  const signOn = wireSignOn({ ...common, outbound, ownKeys, admission })
  const usage = wireUsage(common)
  const walletWatch = wireWalletWatch(common)
  const phase = { isStarting: true, isDraining: false }
  const operating = wireOperating({ ...parts, schema, phase })
  const ways = { usage, walletWatch, uploads, outside, readiness: operating.readiness }
  const server = wireEdge({ ...parts, ...made, ...wired.served, batches, signIn, signOn, ...ways })
  server.server.once('listening', () => Object.assign(phase, { isStarting: false }))
  server.server.once('listening', batches.running.start)
  const unused = watchUnusedConnections(server.server)
  const close = (): Promise<void> =>
    closeInOrder([
      walletWatch.close,
      () => Promise.all([wired.served.realtimeSessions.drain(), server.close(), batches.running.stop()]),
      () => operating.server.close(),
      snapshots.stop,
      ...[wired, tracing, circuits, measurements, usage, ownKeys, storage].map((part) => part.close),
      ...[institutions, signIn, admission, moderation, filters, engines].map((part) => part.close),
    ])
  const leave = (): Promise<void> => closingIdle(() => [server.server.closeIdleConnections(), unused.close()], close)
  return {
    server,
    operating: operating.server,
    prepare: () => prepare({ config, logger, engines, uploads, snapshots }),
    refresh: snapshots.refresh,
    drain: async () => {
      phase.isDraining = true
      // Requests keep arriving until the load balancer has polled `/ready` again; rejecting them now would fail them.
      await wait(config.drain.noticeMs)
      await leave()
    },
    leave,
    close,
  }
}

function filterTimes({ filters, postgres }: Config): { timeoutMs: number; loadTimeoutMs: number } {
  return { timeoutMs: filters.timeoutMs, loadTimeoutMs: postgres.budgetMs }
}

/** A keep-alive connection becomes idle only after its response, and would hold the server open for another 75 s. */
async function closingIdle(closeIdle: () => unknown, close: () => Promise<void>): Promise<void> {
  const timer = setInterval(closeIdle, closeIdleEveryMs)
  await close().finally(() => clearInterval(timer))
}

async function prepare(deps: {
  config: Config
  logger: Logger
  engines: Engines
  uploads: WiredUploads
  snapshots: Snapshots
}): Promise<void> {
  await proveWritable(gatewayFolders(deps.config))
  await deps.engines.schema.prove()
  await deps.engines.spool
    .replay()
    .catch((error: unknown) => deps.logger.warn({ error: errorText(error) }, 'the spool is waiting for Postgres'))
  await deps.uploads.prepare()
  await deps.snapshots.refresh()
}
