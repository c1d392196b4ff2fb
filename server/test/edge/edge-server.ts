import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { inferenceEndpoints } from '#bin/wiring/endpoints.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createBodyBudget } from '#http/bodies/body-budget.ts'
import { createBodyReader } from '#http/bodies/body-reader.ts'
import { createServer } from '#http/server.ts'
import type { Stages } from '#pipeline/run.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createTestTimers, type TestTimers } from '#test/setup/test-timers.ts'

/** The edge with all inference endpoints, over a pipeline that answers with the request as it arrived. */
export interface EdgeServer {
  readonly server: FastifyInstance
  readonly timers: TestTimers
  /** What was reported: each request when it began, each error, and each request when it ended. */
  readonly reports: readonly string[]
  connect(): Promise<EdgeClient>
  close(): Promise<void>
}

export interface EdgeClient {
  readonly socket: Socket
  /** All bytes received until the connection closed. */
  received(): Promise<string>
}

export const windowMs = 10_000

/** `inFlightBytesMax`: body bytes in flight from one address. */
export async function startEdgeServer({ inFlightBytesMax = 1_000_000_000 } = {}): Promise<EdgeServer> {
  const timers = createTestTimers()
  const reports: string[] = []
  const report = (_request: unknown, error: GatewayError): void => void reports.push(error.errorName)
  const bodies = createBodyReader({
    budget: createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: inFlightBytesMax }),
    running: createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: 1_000_000_000 }),
    pace: { bytesPerSecondMin: 100, windowMs },
    timers,
    clientIp,
  })
  const bodySizes = { conversationBytesMax: 10_485_760, recordingBytesMax: 10_485_760, mediaBytesMax: 10_485_760 }
  const shared = { bodies, bodySizes, clientIp, nowMs: Date.now }
  const server = createServer({
    endpoints: [],
    inferenceEndpoints,
    inference: { ...shared, stages, uploads: unused, lookInto: async (body) => body, ownUrl: null, onRefused: report },
    endpoint: {
      ...shared,
      uploads: unused,
      identify: unused,
      admit: unused,
      showRate: unused,
      memberships: unused,
      writeAnswers: unused,
      wait: unused,
      onUnkept: unused,
      onBroken: report,
    },
    signIn: { ...shared, signIn: unused, limitAttempts: unused, devices: unused },
    realtime: null,
    signOn: null,
    payments: { bodies, take: new Map() },
    scim: null,
    console: { folder: null, publicOrigin: null },
    docs: { site: null, publicOrigin: null },
    probes: { isPublic: false, readiness: unused },
    ownOrigins: [],
    headTimeoutMs: 300_000,
    connections: {
      connectionsMax: 1_000,
      addressConnectionsMax: 1_000,
      addressUnreadMax: 1_000,
      isProxy: () => false,
      clientIp,
      onRefused: () => {},
      elapsedMs: () => 0,
    },
    requests: {
      began: () => void reports.push('began'),
      ended: ({ method, route, status }) => void reports.push(`${method} ${route} ${status}`),
    },
    onError: report,
    tracer: null,
  })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  return {
    server,
    timers,
    reports,
    connect: () => connectTo(Number(port)),
    close: async () => {
      server.server.closeAllConnections()
      await server.close()
    },
  }
}

/** No request of these tests reaches the parts that need this. */
const unused = {} as never

async function connectTo(port: number): Promise<EdgeClient> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(Buffer.from(part))).on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return {
    socket,
    received: async () => {
      await closed
      return Buffer.concat(parts).toString('latin1')
    },
  }
}

export async function reported(edge: EdgeServer, count: number): Promise<void> {
  await expect.poll(() => edge.reports.length).toBeGreaterThanOrEqual(count)
}

const clientIp = (): string => '192.0.2.1'

const principal = makePrincipal({})

const stages = {
  authenticate: async ({ authorization, apiKey }) => {
    if (authorization === 'Bearer good' || apiKey === 'good') return principal
    throw new GatewayError('unauthenticated', { message: 'Who are you?' })
  },
  receive: (arrival, who) => arrival.receive(who),
  recall: null,
  resume: null,
  readAttribution: (arrival) => ({ arrival, named: { customer: 'unused', tags: [], run: null } }),
  attribute: ({ principal: who }) => who,
  claim: async ({ arrival }) => ({ kind: 'claimed', arrival }),
  cache: async (input) => input,
  parse: () => ({}) as never,
  admit: async () => ({ 'x-ratelimit-remaining': '7' }),
  guard: async () => ({}) as never,
  route: () => ({}) as never,
  freeTier: async ({ plan }) => ({ plan, headers: {} }),
  hold: async (request) => request as never,
  dispatch: async ({ arrival, replyHeaders }) => {
    const { dialect, authorization, apiKey, appName, freeFallback, body, bodyBytes } = arrival
    if (body['fails'] === true) throw new GatewayError('noUpstream', { message: 'Nobody serves it.', retryAfterS: 3 })
    const { wantsEvents, basePath, ownUrl, trace, clientIp, access } = arrival
    const seen = { authorization, apiKey, appName, freeFallback, body, bodyBytes, wantsEvents, basePath, ownUrl, trace }
    const text = JSON.stringify({ dialect: dialect.name, clientIp, access, ...seen })
    return { kind: 'document', headers: replyHeaders, body: text }
  },
  settle: async () => 0n as never,
  noteRefusal: () => {},
} satisfies Stages
