import type { Socket } from 'node:net'
import type { Config } from '#config/config-schema.ts'
import { createBodyBudget, runningLimits } from '#http/bodies/body-budget.ts'
import { type BodyReader, createBodyReader } from '#http/bodies/body-reader.ts'
import { createClientIpReader } from '#http/client-ip-reader.ts'
import type { UploadDeps } from '#http/forms/upload.ts'
import { createServer } from '#http/server.ts'
import { realTimers } from '#lib/timers.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { inferenceEndpoints } from '../wiring/endpoints.ts'
import { createMemoryPool } from './memory-engines.ts'
import { MemorySocket } from './memory-socket.ts'
import type { RehearsalPipeline } from './rehearsal-pipeline.ts'

export interface RehearsalEdge {
  /** Opens a connection. `onBytes` receives what the gateway sends to this client. */
  open(onBytes: (bytes: Buffer) => void): MemorySocket
  close(): void
}

const connectionsMax = 64

type ServerDeps = Parameters<typeof createServer>[0]

/** The HTTP edge over the stages of the rehearsal. It listens on no port: its connections exist only in memory. */
export async function createRehearsalEdge(
  config: Config,
  pipeline: Pick<RehearsalPipeline, 'stages' | 'metrics'>,
): Promise<RehearsalEdge> {
  const server = createServer({ ...uncalledRoutes(config), ...inferenceRoutes(config, pipeline) })
  await server.ready()
  const sockets = new Set<Socket>()
  return {
    open: (onBytes) => {
      const socket = new MemorySocket(onBytes)
      sockets.add(socket)
      server.server.emit('connection', socket)
      return socket
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

type InferenceRoutes = 'inferenceEndpoints' | 'inference' | 'connections' | 'headTimeoutMs' | 'requests' | 'onError'

function inferenceRoutes(
  config: Config,
  { stages, metrics }: Pick<RehearsalPipeline, 'stages' | 'metrics'>,
): Pick<ServerDeps, InferenceRoutes> {
  const clientIp = clientIpReaderOf(config)
  return {
    inferenceEndpoints,
    inference: {
      stages,
      clientIp,
      nowMs: Date.now,
      uploads: uploadsOf(config),
      bodies: bodyReaderOf(config),
      bodySizes: config.bodies,
      lookInto: fail,
      ownUrl: config.http.publicUrl,
      onRefused: () => {},
    },
    headTimeoutMs: config.http.headTimeoutMs,
    // The operator's limits are for clients, and may be lower than the number of connections here.
    connections: {
      connectionsMax,
      addressConnectionsMax: connectionsMax,
      addressUnreadMax: connectionsMax,
      isProxy: () => false,
      clientIp,
      onRefused: () => metrics.connectionsRefused.inc(),
      elapsedMs: () => performance.now(),
    },
    requests: { began: () => {}, ended: (request) => metrics.httpRequests.inc(request) },
    onError: () => {},
  }
}

function uploadsOf(config: Config): UploadDeps {
  return {
    folders: { prepare: fail, make: fail, remove: fail },
    room: { enter: fail },
    idleTimeoutMs: config.uploads.idleTimeoutMs,
    drainTimeoutMs: 0,
  }
}

/** Everything but inference, which no rehearsed request calls. */
function uncalledRoutes(config: Config): Omit<ServerDeps, InferenceRoutes> {
  const clientIp = clientIpReaderOf(config)
  const bodies = bodyReaderOf(config)
  return {
    endpoints: [],
    endpoint: {
      identify: fail,
      admit: fail,
      showRate: fail,
      memberships: createMemberships(createMemoryPool({ statement: fail })),
      uploads: uploadsOf(config),
      bodies,
      bodySizes: config.bodies,
      clientIp,
      nowMs: Date.now,
      onBroken: fail,
      writeAnswers: { claim: fail, keep: fail, forget: fail },
      wait: fail,
      onUnkept: fail,
    },
    signIn: {
      signIn: { sessions: { findPerson: fail }, handle: fail, begin: fail },
      limitAttempts: fail,
      devices: { find: fail, issue: fail },
      bodies,
      clientIp,
    },
    realtime: null,
    signOn: null,
    payments: { bodies, take: new Map() },
    scim: null,
    console: { folder: null, publicOrigin: null },
    docs: { site: null, publicOrigin: null },
    probes: { isPublic: false, readiness: fail },
    ownOrigins: [],
    tracer: null,
  }
}

function bodyReaderOf(config: Config): BodyReader {
  const { bodies } = config
  return createBodyReader({
    budget: createBodyBudget(bodies),
    running: createBodyBudget(runningLimits(bodies)),
    pace: { bytesPerSecondMin: bodies.bytesPerSecondMin, windowMs: bodies.paceWindowMs },
    timers: realTimers,
    clientIp: clientIpReaderOf(config),
  })
}

/** Rehearsed requests come through no proxy. */
function clientIpReaderOf({ edge }: Config): ReturnType<typeof createClientIpReader> {
  return createClientIpReader({ ...edge, proxies: [] })
}

function fail(): never {
  throw new Error('the warm-up sent a request to an endpoint without inference')
}
