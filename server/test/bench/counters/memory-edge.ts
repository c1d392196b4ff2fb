import { createBodyBudget } from '#http/bodies/body-budget.ts'
import { createBodyReader } from '#http/bodies/body-reader.ts'
import { createClientIpReader } from '#http/client-ip-reader.ts'
import { createServer } from '#http/server.ts'
import { MemorySocket } from '#bin/warm-up/memory-socket.ts'
import { inferenceEndpoints } from '#bin/wiring/endpoints.ts'
import { realTimers } from '#lib/timers.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { burstChunks, jsonAnswer, longChunks, streamEnd, streamHead } from '../mock-answers.ts'
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts'

/** The HTTP edge over the pipeline. Connections to clients and upstreams exist only in memory. */
export async function createMemoryGateway(): Promise<MemoryGateway> {
  const upstreams = createUpstreamClient({
    connectTimeoutMs: 5_000,
    connectionsMax: 256,
    connect: connectInMemory as never,
  })
  const world = await createMemoryWorld(upstreams)
  const clientIp = createClientIpReader({ proxies: [], clientIpHeader: 'x-forwarded-for' })
  const bodies = createBodyReader({
    budget: createBodyBudget({ budgetBytes: 1e9, addressBytes: 1e9 } as never),
    running: createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: 1_000_000_000 }),
    pace: { bytesPerSecondMin: 1, windowMs: 10_000 },
    timers: realTimers,
    clientIp,
  })
  const server = createServer({
    endpoints: [],
    inferenceEndpoints,
    inference: {
      stages: world.pipeline.stages,
      clientIp,
      nowMs: Date.now,
      uploads: {} as never,
      bodies,
      bodySizes: { conversationBytesMax: 10_485_760, recordingBytesMax: 10_485_760, mediaBytesMax: 10_485_760 },
      lookInto: unused,
      ownUrl: null,
      onRefused: () => {},
    },
    endpoint: { identify: unused, bodies, clientIp, nowMs: Date.now, onBroken: () => {} } as never,
    signIn: { bodies, clientIp } as never,
    realtime: null,
    signOn: null,
    payments: { bodies, take: new Map() } as never,
    scim: null,
    console: { folder: null, publicOrigin: null } as never,
    docs: { site: null, publicOrigin: null } as never,
    probes: { isPublic: false, readiness: unused },
    ownOrigins: [],
    headTimeoutMs: 60_000,
    connections: {
      connectionsMax: 10_000,
      addressConnectionsMax: 10_000,
      addressUnreadMax: 1e9,
      isProxy: () => false,
      clientIp,
      onRefused: unused,
      elapsedMs: () => performance.now(),
    },
    onError: (_request, error) => {
      throw error
    },
    requests: { began: () => {}, ended: () => {} },
    tracer: null,
  })
  await server.ready()
  return {
    world,
    /** `onBytes` receives the bytes that the gateway sends to this client. */
    connect: (onBytes) => {
      const socket = new MemorySocket(onBytes)
      server.server.emit('connection', socket)
      return socket
    },
  }
}

export interface MemoryGateway {
  readonly world: MemoryWorld
  connect(onBytes: (bytes: Buffer) => void): MemorySocket
}

type Connected = (error: Error | null, socket: MemorySocket) => void

/** An upstream that answers each request in the next turn of the event loop; a stream has one chunk per read. */
function connectInMemory(_options: unknown, connected: Connected): void {
  let request = ''
  const socket = new MemorySocket((bytes) => {
    request += bytes.toString('latin1')
    if (!request.endsWith('}')) return
    const answer = answerTo(request)
    request = ''
    setImmediate(() => {
      for (const piece of answer) socket.push(piece)
    })
  })
  setImmediate(() => connected(null, socket))
}

const streams = {
  burst: [streamHead, ...burstChunks, streamEnd],
  long: [streamHead, ...longChunks, streamEnd],
}

const embeddingsBody = JSON.stringify({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: Array.from({ length: 64 }, (_, index) => index / 1_000) }],
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 200, total_tokens: 200 },
})

const embeddings = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${embeddingsBody.length}\r\n\r\n${embeddingsBody}`,
)

function answerTo(request: string): readonly Buffer[] {
  if (request.includes('/embeddings ')) return [embeddings]
  if (!request.includes('"stream":true')) return [jsonAnswer]
  return request.includes('weir-bench-long') ? streams.long : streams.burst
}

function unused(): never {
  throw new Error('no request of the counters needs this')
}
