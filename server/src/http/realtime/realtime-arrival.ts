import type { FastifyRequest } from 'fastify'
import { realtimeDialect } from '#dialects/realtime/realtime-dialect.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { generationIdOf, publicRequestId } from '#domain/ledger/request-id.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { Arrival, ClientConnection } from '#pipeline/types.ts'
import { basePathOf } from '../base-path-of.ts'
import { appNameOf, attributionOf, type ArrivalDeps, headerText } from '../inference/http-arrival.ts'

export type RealtimeArrivalDeps = Pick<ArrivalDeps, 'clientIp' | 'nowMs'>

/** The session as a request: its first one, and one for each event and response. */
export interface SessionArrivals {
  readonly first: Arrival
  next(body: JsonObject, connection: Pick<ClientConnection, 'gone'>): Arrival
}

export function arrivalsOf(request: FastifyRequest, { clientIp, nowMs }: RealtimeArrivalDeps): SessionArrivals {
  const model = modelOf(request)
  const common = {
    dialect: realtimeDialect,
    access: 'models.call',
    authorization: request.headers.authorization ?? subprotocolKey(request),
    apiKey: undefined,
    clientIp: clientIp(request),
    appName: appNameOf(request),
    attribution: attributionOf(request),
    maxCost: headerText(request, 'x-weir-max-cost'),
    freeFallback: headerText(request, 'x-free-fallback')?.trim().toLowerCase() !== 'false',
    receive: async () => {},
    isCostlyToReceive: false,
    files: [],
    bodyBytes: 0,
    wantsEvents: false,
    basePath: basePathOf(request),
    ownUrl: '',
    trace: request.trace,
  } as const satisfies Partial<Arrival>
  const arrivalOf = (id: Uuid, body: JsonObject, connection: Pick<ClientConnection, 'gone'>): Arrival => ({
    ...common,
    generationId: id,
    receivedAtMs: uuidTimeMs(id),
    body,
    connection: withoutStream(connection),
    replyHeaders: { 'x-request-id': publicRequestId(id), 'x-generation-id': publicGenerationId(id) },
  })
  return {
    first: arrivalOf(generationIdOf(request.id), { model }, { gone: false }),
    next: (body, connection) => arrivalOf(newUuid(nowMs()), body, connection),
  }
}

function modelOf({ query }: FastifyRequest): string {
  const asked = typeof query === 'object' && query !== null && 'model' in query ? query.model : undefined
  if (typeof asked === 'string' && asked !== '') return asked
  throw malformed('Name one model, as in `/v1/realtime?model=openai/gpt-realtime`.')
}

const keyProtocol = 'openai-insecure-api-key.'

/** Browsers cannot send headers with a WebSocket, so OpenAI's clients send their key as a subprotocol. */
function subprotocolKey(request: FastifyRequest): string | undefined {
  const protocols = headerText(request, 'sec-websocket-protocol')?.split(',') ?? []
  const named = protocols.map((protocol) => protocol.trim()).find((protocol) => protocol.startsWith(keyProtocol))
  return named === undefined ? undefined : `Bearer ${named.slice(keyProtocol.length)}`
}

/** The session writes its events itself, so stages only learn whether the client is still there. */
function withoutStream(connection: Pick<ClientConnection, 'gone'>): ClientConnection {
  return {
    get gone() {
      return connection.gone
    },
    streaming: true,
    quietSinceMs: Number.POSITIVE_INFINITY,
    blockedSinceMs: null,
    onGone: () => {},
    startStream: () => {},
    write: () => true,
    onDrain: () => {},
    end: () => {},
    onSent: () => {},
    drop: () => {},
  }
}
