import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { rawAnswer } from './refuse-malformed-http.ts'

export interface ConnectionLimits {
  readonly connectionsMax: number
  /** From one address. Connections of our own proxies carry many clients and count for none of them. */
  readonly addressConnectionsMax: number
  readonly isProxy: (address: string) => boolean
  readonly clientIp: (request: FastifyRequest) => string | null
  readonly onRefused: () => void
}

/** Bounds what one client can keep open: connections that come from it, and behind a proxy its requests under way. */
export function limitConnections(server: FastifyInstance, limits: ConnectionLimits): void {
  limitSockets(server.server, limits)
  const requests = new Counts(limits.addressConnectionsMax)
  server.addHook('onRequest', async (request, reply) => {
    if (!proxied.has(request.raw.socket)) return
    const client = clientNetwork(limits.clientIp(request))
    if (!requests.enter(client)) {
      throw new GatewayError('overloaded', {
        message: 'Too many requests from your address are under way.',
        retryAfterS: 1,
      })
    }
    reply.raw.once('close', () => requests.leave(client))
  })
}

function limitSockets(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, addressConnectionsMax, isProxy } = limits
  const sockets = new Counts(addressConnectionsMax)
  let total = 0
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // It has closed already.
    if (remoteAddress === undefined) return
    const isOurs = isProxy(remoteAddress)
    if (isOurs) proxied.add(socket)
    const client = clientNetwork(remoteAddress)
    if (total >= connectionsMax || !(isOurs || sockets.enter(client))) {
      limits.onRefused()
      return refuse(socket)
    }
    total += 1
    socket.once('close', () => {
      total -= 1
      if (!isOurs) sockets.leave(client)
    })
  })
}

const proxied = new WeakSet<Socket>()

function refuse(socket: Socket): void {
  const message = 'Too many connections are open. Retry shortly.'
  socket.end(rawAnswer({ status: 503, reason: 'Service Unavailable', message, headers: ['retry-after: 1'] }))
  socket.destroySoon()
}

/** How many of something each client has. */
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
