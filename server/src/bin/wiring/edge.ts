import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { WalletWatch } from '#control/wallets/wallet-watch.ts'
import { ownOriginsOf, publicOriginOf } from '#config/public-origin.ts'
import { networkList } from '#domain/access/network-list.ts'
import { rateClientOf } from '#domain/access/rate-subject.ts'
import { createBodyBudget, runningLimits } from '#http/bodies/body-budget.ts'
import { createBodyReader } from '#http/bodies/body-reader.ts'
import { boundConnections } from '#http/bound-connections.ts'
import { createClientIpReader } from '#http/client-ip-reader.ts'
import type { ConnectionLimits } from '#http/connection-limits.ts'
import type { UploadDeps } from '#http/forms/upload.ts'
import { createIdentifyRequest } from '#http/identify-request.ts'
import type { OperatingDeps } from '#http/operating/operating-routes.ts'
import { createRefusalReporter } from '#http/report-refusals.ts'
import type { ReplayWriteDeps } from '#http/replay-write.ts'
import type { RealtimeRouteDeps } from '#http/realtime/realtime-route.ts'
import type { SessionCounts } from '#http/realtime/session-counts.ts'
import { createServer } from '#http/server.ts'
import type { RequestWatch } from '#http/watch-requests.ts'
import { logFault } from '#lib/log-fault.ts'
import { readOpenFilesMax } from '#lib/open-files.ts'
import type { Tracing } from '#net/tracing/choose-tracing.ts'
import { createIdentify } from '#pipeline/authenticate/identify.ts'
import type { MeasurementStore } from '#pipeline/route/measurement-store.ts'
import type { Pipeline } from '#pipeline/create-pipeline.ts'
import type { Stages } from '#pipeline/run.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { SignIn } from '#ports/people.ts'
import { createWriteAnswers } from '#store/postgres/answers/write-answers.ts'
import { createCustomerViews } from '#store/postgres/operators/customer-views.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { findConsoleFolder } from '../console-folder.ts'
import { findDocsSite } from '../docs-site.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Admission } from './admission.ts'
import type { WiredBatches } from './batches.ts'
import { inferenceEndpoints, wireEndpoints } from './endpoints.ts'
import type { Filters } from './filters.ts'
import type { Institutions } from './institutions.ts'
import type { WiredMedia } from './media.ts'
import type { Metrics } from './metrics.ts'
import type { Outside } from './outside.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import { wirePayments } from './payments.ts'
import { wireProvisioning } from './provisioning.ts'
import { wireSignInLimits } from './sign-in-limits.ts'
import type { WiredSignOn } from './sign-on.ts'
import type { StoredResponseWays } from './stages.ts'
import type { Snapshots } from './snapshots.ts'
import type { WiredUsage } from './usage.ts'
import type { WiredVideos } from './videos.ts'

interface EdgeDeps {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  snapshots: Snapshots
  admission: Admission
  filters: Filters
  measurements: Pick<MeasurementStore, 'find'>
  stages: Stages
  quoting: Pipeline['quoting']
  stored: StoredResponseWays
  realtime: Pipeline['realtime']
  /** The open realtime sessions, which end before the server closes. */
  realtimeSessions: SessionCounts
  institutions: Institutions
  ownKeys: WiredOwnKeys
  media: WiredMedia
  videos: WiredVideos
  batches: Pick<WiredBatches, 'endpoints'>
  usage: WiredUsage
  walletWatch: WalletWatch
  signIn: SignIn
  signOn: WiredSignOn
  auditTrail: AuditTrail
  uploads: UploadDeps
  tracing: Tracing
  outside: Pick<Outside, 'timers' | 'wait'>
  nowMs: () => number
  readiness: OperatingDeps['readiness']
}

/** The HTTP server with all its endpoints. */
export function wireEdge(deps: EdgeDeps): FastifyInstance {
  const { config, pools, admission, nowMs } = deps
  const clientIp = createClientIpReader(config.edge)
  const noteRefusal = createRefusalReporter({
    clientIp,
    timers: deps.outside.timers,
    count: (error) => deps.metrics.refusals.inc({ error }),
    log: deps.logger,
  })
  const bodies = createBodyReader({
    budget: createBodyBudget(config.bodies),
    running: createBodyBudget(runningLimits(config.bodies)),
    pace: { bytesPerSecondMin: config.bodies.bytesPerSecondMin, windowMs: config.bodies.paceWindowMs },
    timers: deps.outside.timers,
    clientIp,
  })
  const payments = wirePayments({ ...deps, announce: admission.announce })
  const provisioning = wireProvisioning(deps)
  const signInLimits = wireSignInLimits(deps)
  const memberships = createMemberships(pools.general)
  const identify = createIdentify({
    authenticate: admission.authenticate,
    sessions: deps.signIn.sessions,
    views: createCustomerViews(pools.general),
  })
  return createServer({
    endpoints: [...wireEndpoints(deps), ...deps.batches.endpoints, ...provisioning.endpoints, ...payments.endpoints],
    inferenceEndpoints,
    inference: {
      stages: deps.stages,
      clientIp,
      nowMs,
      uploads: deps.uploads,
      bodies,
      bodySizes: config.bodies,
      lookInto: deps.videos.lookInto,
      ownUrl: config.http.publicUrl,
      onRefused: noteRefusal,
    },
    endpoint: {
      identify: createIdentifyRequest({ identify, clientIp, nowMs }),
      admit: (client) => admission.admit(rateClientOf(client), 'account'),
      showRate: (client) => admission.showRate(rateClientOf(client), 'account'),
      memberships,
      uploads: deps.uploads,
      bodies,
      bodySizes: config.bodies,
      clientIp,
      nowMs,
      onBroken: noteRefusal,
      ...wireReplayedWrites(deps),
    },
    realtime: wireRealtime(deps, { clientIp, onRefused: noteRefusal }),
    signIn: { signIn: deps.signIn, ...signInLimits, bodies, clientIp },
    signOn: { flow: deps.signOn.flow, signIn: deps.signIn, memberships, ...signInLimits, bodies, clientIp },
    payments: { bodies, take: payments.take },
    scim: { ...provisioning.routes, bodies, onError: noteRefusal },
    console: { folder: findConsoleFolder(config.console), publicOrigin: publicOriginOf(config.http) },
    docs: { site: findDocsSite(config.docs), publicOrigin: publicOriginOf(config.http) },
    probes: { isPublic: config.operating.publicProbes, readiness: deps.readiness },
    ownOrigins: ownOriginsOf(config.http),
    headTimeoutMs: config.http.headTimeoutMs,
    connections: wireConnections(deps, clientIp),
    onError: noteRefusal,
    requests: countRequests(deps.metrics),
    tracer: deps.tracing.tracer,
  })
}

function wireRealtime(
  { config, logger, realtime, realtimeSessions: sessions, outside, nowMs }: EdgeDeps,
  edge: Pick<RealtimeRouteDeps, 'clientIp' | 'onRefused'>,
): RealtimeRouteDeps {
  const { sessionMs, idleMs, messageBytesMax } = config.realtime
  return {
    ...edge,
    realtime,
    sessions,
    timers: outside.timers,
    nowMs,
    sessionMs,
    idleMs,
    messageBytesMax,
    stallMs: config.upstream.idleTimeoutMs,
    onFault: (error) => logger.error({ err: error }, 'a realtime session failed'),
  }
}

function wireReplayedWrites({ config, pools, logger, outside }: EdgeDeps): ReplayWriteDeps {
  const unkept = logFault(logger, 'answers to account requests could not be stored for retries', {
    level: 'warn',
    overAfterMs: 60_000,
  })
  return {
    writeAnswers: createWriteAnswers(pools.general, sealingKeyOf(config)),
    wait: outside.wait,
    onUnkept: unkept.failed,
  }
}

function wireConnections(
  { config, logger, metrics, outside }: EdgeDeps,
  clientIp: ConnectionLimits['clientIp'],
): ConnectionLimits {
  return {
    connectionsMax: boundConnections(config.http.connectionsMax, {
      filesMax: readOpenFilesMax(),
      warn: (message) => logger.warn(message),
    }),
    addressConnectionsMax: config.http.addressConnectionsMax,
    addressUnreadMax: config.http.addressUnreadMax,
    isProxy: networkList(config.edge.proxies).covers,
    clientIp,
    onRefused: () => metrics.connectionsRefused.inc(),
    elapsedMs: () => outside.timers.nowMs(),
  }
}

function countRequests(metrics: Metrics): RequestWatch {
  let inFlight = 0
  metrics.watch('weir_http_requests_in_flight', 'HTTP requests in progress.', () => inFlight)
  return {
    began: () => {
      inFlight += 1
    },
    ended: (request) => {
      inFlight -= 1
      metrics.httpRequests.inc(request)
    },
  }
}
