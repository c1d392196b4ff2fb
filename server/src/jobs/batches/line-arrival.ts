import type { Dialect } from '#dialects/dialect.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedBatch } from '#ports/batches.ts'
import type { Arrival, ClientConnection } from '#pipeline/types.ts'

/** The endpoint that a line is sent to. */
export interface LineEndpoint {
  readonly path: string
  readonly dialect: Dialect
  readonly access: AccessAction
}

/** One line of a batch, as a request. */
export interface LineRequest {
  readonly batch: Pick<ClaimedBatch, 'id' | 'network'>
  readonly line: number
  readonly endpoint: LineEndpoint
  readonly body: JsonObject
  readonly byteCount: number
  /** Null if the gateway does not know its public URL. */
  readonly ownUrl: string | null
  readonly nowMs: number
}

/**
 * A line of a batch, as if a client had sent it. Its idempotency key is the same in every run, so a line that was
 * charged before its gateway died is answered from the stored answer.
 */
export function lineArrival({ batch, line, endpoint, body, byteCount, ownUrl, nowMs }: LineRequest): Arrival {
  const generationId = newUuid(nowMs)
  return {
    generationId,
    receivedAtMs: nowMs,
    dialect: endpoint.dialect,
    access: endpoint.access,
    authorization: undefined,
    apiKey: undefined,
    clientIp: batch.network,
    appName: null,
    attribution: null,
    maxCost: undefined,
    freeFallback: true,
    idempotencyKey: `batch:${batch.id}:${line}`,
    receive: async () => {},
    isCostlyToReceive: false,
    body,
    files: [],
    bodyBytes: byteCount,
    wantsEvents: false,
    connection: noConnection,
    basePath: '',
    ownUrl: ownUrl ?? '',
    replyHeaders: {
      'x-request-id': publicRequestId(generationId),
      'x-generation-id': publicGenerationId(generationId),
    },
    trace: null,
  }
}

/** Lines do not stream, and no client can disconnect. */
const noConnection: ClientConnection = {
  gone: false,
  onGone: () => {},
  streaming: false,
  startStream: () => {},
  write: () => true,
  onDrain: (listener) => listener(),
  end: () => {},
  onSent: () => {},
  quietSinceMs: Number.POSITIVE_INFINITY,
  blockedSinceMs: null,
  drop: () => {},
}
