import { newUuid } from '#lib/uuid.ts'
import type { Arrival, ClientConnection } from '#pipeline/types.ts'
import type { EndpointRequest } from '../endpoint.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'

/** The body of a quote, as if it had arrived at the endpoint that it is for. */
export function quotedArrival(request: EndpointRequest, endpoint: InferenceEndpoint): Arrival {
  const { body, headers, nowMs, clientIp, basePath } = request
  const customer = textOf(headers['x-weir-customer'])
  return {
    generationId: newUuid(nowMs),
    receivedAtMs: nowMs,
    dialect: endpoint.dialect,
    access: endpoint.access,
    authorization: undefined,
    apiKey: undefined,
    clientIp,
    appName: null,
    // Tags have no limits, so a price does not depend on them.
    attribution: customer === undefined ? null : { customer },
    maxCost: textOf(headers['x-weir-max-cost']),
    freeFallback: true,
    receive: async () => {},
    isCostlyToReceive: false,
    body,
    files: [],
    bodyBytes: 0,
    wantsEvents: false,
    connection: noConnection,
    basePath,
    ownUrl: '',
    replyHeaders: {},
    trace: null,
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** Nothing is streamed in response to a quote. */
const noConnection: ClientConnection = {
  gone: false,
  onGone: () => {},
  streaming: false,
  startStream: () => {},
  write: () => true,
  onDrain: () => {},
  end: () => {},
  onSent: () => {},
  quietSinceMs: 0,
  blockedSinceMs: null,
  drop: () => {},
}
