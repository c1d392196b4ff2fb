import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { watchUnread } from './forms/refuse-unread.ts'
import { rawAnswer } from './refuse-malformed-http.ts'

export interface ConnectionLimits {
  readonly connectionsMax: number
  /** Per address. Connections of our own proxies carry many clients and do not count. */
  readonly addressConnectionsMax: number
  /**
   * Maximum requests per address in ten seconds that are rejected before their body has arrived. Beyond this number,
   * new connections are rejected.
   */
  readonly addressUnreadMax: number
  readonly isProxy: (address: string) => boolean
  readonly clientIp: (request: FastifyRequest) => string | null
  readonly onRefused: () => void
  /** Monotonic time. */
  readonly elapsedMs: () => number
}

/** Limits what one client can keep open: its connections, and behind a proxy its running requests. */
export function limitConnections(server: FastifyInstance, limits: ConnectionLimits): void {
  limitSockets(server.server, limits)
  const requests = new Counts(limits.addressConnectionsMax)
  server.addHook('onRequest', (request, reply, done) => {
    if (!proxied.has(request.raw.socket)) return done()
    const client = clientNetwork(limits.clientIp(request))
    if (!requests.enter(client)) {
      throw new GatewayError('overloaded', {
        message: 'Too many concurrent requests from your IP address. Wait for some to finish.',
        retryAfterS: 1,
      })
    }
    reply.raw.once('close', () => requests.leave(client))
    done()
  })
}

function limitSockets(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, addressConnectionsMax, addressUnreadMax, isProxy } = limits
  const sockets = new Counts(addressConnectionsMax)
  const unread = new RecentCounts(addressUnreadMax, limits.elapsedMs)
  const drained = new RecentCounts(drainBytesMax, limits.elapsedMs)
  let total = 0
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // The connection is already closed.
    if (remoteAddress === undefined) return
    const isOurs = isProxy(remoteAddress)
    if (isOurs) proxied.add(socket)
    const client = clientNetwork(remoteAddress)
    const hasRoom = total < connectionsMax && (isOurs || (!unread.isFull(client) && sockets.enter(client)))
    if (!hasRoom) {
      limits.onRefused()
      return refuse(socket)
    }
    total += 1
    if (!isOurs) {
      watchUnread(socket, {
        refused: () => unread.add(client, 1),
        mayDrain: (byteCount) => {
          drained.add(client, byteCount)
          return !drained.isFull(client)
        },
      })
    }
    socket.once('close', () => {
      total -= 1
      if (!isOurs) sockets.leave(client)
    })
  })
}

const proxied = new WeakSet<Socket>()

const tooMany = rawAnswer({
  status: 503,
  reason: 'Service Unavailable',
  message: 'Too many open connections. Retry shortly.',
  headers: ['retry-after: 1'],
})

function refuse(socket: Socket): void {
  socket.end(tooMany)
  socket.destroySoon()
}

/** Counts per client. */
class Counts {
  readonly #max: number
  readonly #countOf = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  enter(client: string): boolean {
    const count = this.#countOf.get(client) ?? 0
    if (count >= this.#max) return false
    this.#countOf.set(client, count + 1)
    return true
  }

  leave(client: string): void {
    const left = (this.#countOf.get(client) ?? 1) - 1
    if (left === 0) this.#countOf.delete(client)
    else this.#countOf.set(client, left)
  }
}

const recentMs = 10_000

// Maximum drained bytes per address in that time. Node copies all bytes that it reads, and 10 MB of such copies cost a
// full garbage collection: 100 ms of CPU with 80 MB of live heap.
const drainBytesMax = 33_554_432

/** Counts per client in the current ten seconds. All are reset together. */
class RecentCounts {
  readonly #max: number
  readonly #elapsedMs: () => number
  readonly #countOf = new Map<string, number>()
  #beganAtMs = 0

  constructor(max: number, elapsedMs: () => number) {
    this.#max = max
    this.#elapsedMs = elapsedMs
  }

  add(client: string, count: number): void {
    this.#forget()
    this.#countOf.set(client, (this.#countOf.get(client) ?? 0) + count)
  }

  isFull(client: string): boolean {
    this.#forget()
    return (this.#countOf.get(client) ?? 0) >= this.#max
  }

  #forget(): void {
    const nowMs = this.#elapsedMs()
    if (nowMs - this.#beganAtMs < recentMs) return
    this.#countOf.clear()
    this.#beganAtMs = nowMs
  }
}
