import { newUuid } from '#lib/uuid.ts'
import type { Arrival, ClientConnection } from '#pipeline/types.ts'
import type { EndpointRequest } from '../endpoint.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'

/** The body of a quote, as if it had arrived at the endpoint that it is for. */
export function quotedArrival(request: EndpointRequest, endpoint: InferenceEndpoint): Arrival {
  const { body, headers, nowMs, clientIp, basePath } = request
  return {
    generationId: newUuid(nowMs),
    receivedAtMs: nowMs,
    dialect: endpoint.dialect,
    access: endpoint.access,
    authorization: undefined,
    apiKey: undefined,
    clientIp,
    appName: null,
    attribution: attributionOf(headers),
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

/** Tags have no limits, so a price does not depend on them. */
function attributionOf(headers: EndpointRequest['headers']): Arrival['attribution'] {
  const customer = textOf(headers['x-weir-customer'])
  const run = textOf(headers['x-weir-run'])
  const runBudget = textOf(headers['x-weir-run-budget'])
  const parentRun = textOf(headers['x-weir-parent-run'])
  const isRun = run !== undefined || runBudget !== undefined || parentRun !== undefined
  return customer === undefined && !isRun ? null : { customer, run, runBudget, parentRun }
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
