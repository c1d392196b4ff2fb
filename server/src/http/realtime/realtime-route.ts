import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { textSocket } from '#lib/text-socket.ts'
import type { Realtime } from '#pipeline/realtime.ts'
import { type Prepared, prepareSession } from './prepare-session.ts'
import { arrivalsOf, type RealtimeArrivalDeps } from './realtime-arrival.ts'
import { RealtimeSession } from './realtime-session.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionCounts } from './session-counts.ts'

export interface RealtimeRouteDeps extends Pick<RealtimeArrivalDeps, 'clientIp'>, Omit<SessionDeps, 'onRefused'> {
  readonly realtime: Realtime
  readonly sessions: SessionCounts
  /** The largest message that is accepted from a client. */
  readonly messageBytesMax: number
  readonly onRefused: (request: FastifyRequest, error: GatewayError) => void
}

interface Upgrade {
  readonly socket: Socket
  readonly head: Buffer
}

/** No other timeout reaches a socket that has left the server. */
const handshakeTimeoutMs = 60_000

const upgrades = new WeakMap<IncomingMessage, Upgrade>()
const path = /^\/(?:api\/)?v1\/realtime\/?(?:\?|$)/

/** Whether a request asks for a WebSocket that there is. Node serves every other request without an upgrade. */
export function isUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && path.test(url)
}

/** Passes handshakes through the same hooks and error replies as every request. */
export function routeUpgrades(server: FastifyInstance): void {
  server.server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return socket.destroy()
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.destroySoon())
    // The library clears it once the session begins.
    socket.setTimeout(handshakeTimeoutMs, () => socket.destroy())
    upgrades.set(request, { socket, head })
    server.routing(request, response)
  })
}

/** The handler of handshakes. Other requests go to `plain`. */
export function serveRealtime(
  deps: RealtimeRouteDeps,
  plain: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: deps.messageBytesMax,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const upgrade = upgrades.get(request.raw)
    if (upgrade === undefined) return plain(request, reply)
    refuseBroken(request)
    const arrivals = arrivalsOf(request, deps)
    const counted: (() => void)[] = []
    const leave = (): void => counted.splice(0).forEach((end) => end())
    try {
      const line = await deps.realtime.open(arrivals.first, ({ keyId }) => counted.push(deps.sessions.enter(keyId)))
      const prepared = await prepareSession(line.upstream, deps.timers)
      reply.hijack()
      reply.raw.statusCode = 101
      // The callback is not called for a client that has left.
      sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
        const client = textSocket(socket)
        const arrivalOf = (body: Parameters<typeof arrivals.next>[0]) =>
          arrivals.next(body, {
            get gone() {
              return client.isClosed
            },
          })
        const onRefused = (error: GatewayError): void => deps.onRefused(request, error)
        const session = new RealtimeSession({ ...deps, onRefused }, line, { client, arrivalOf, state: prepared.state })
        keepRunning(deps, session, prepared, counted.splice(0)[0])
      })
      if (counted.length > 0) line.upstream.close(1000, '')
      return undefined
    } finally {
      leave()
    }
  }
}

const beatEveryMs = 15_000

function keepRunning(
  { sessions, timers, onFault }: RealtimeRouteDeps,
  session: RealtimeSession,
  { created }: Prepared,
  leave: (() => void) | undefined,
): void {
  let timer = timers.after(beatEveryMs, beat)
  timer.unref()
  function beat(): void {
    session.beat().catch(onFault)
    timer = timers.after(beatEveryMs, beat)
    timer.unref()
  }
  sessions
    .watch(session, session.run(created))
    .catch(onFault)
    .finally(() => {
      timer.cancel()
      leave?.()
    })
}

const keyForm = /^[+/0-9A-Za-z]{22}==$/

/** An upstream is only asked for a client that can be answered. */
function refuseBroken({ headers }: FastifyRequest): void {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = headers
  if (!keyForm.test(key) || version !== '13') throw malformed('The WebSocket handshake is not valid.')
}
