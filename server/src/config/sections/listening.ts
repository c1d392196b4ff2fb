import { Type } from 'typebox'
import { bodyBytes, count, eventHeaders, eventUrl, milliseconds, optionalText, section } from '../setting-kinds.ts'

// Listening addresses, request intake and shutdown.

export const http = section({
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8484,
    description: 'Port to listen on. 0 picks any free port.',
  }),
  publicUrl: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'Public URL of the gateway, used for absolute links in responses. Unset: derived from the request.',
    expects: 'an http:// or https:// URL',
  }),
  headTimeoutMs: milliseconds(10_000, {
    maximum: 300_000,
    description: 'Timeout for receiving the request headers, in ms. After it, the gateway responds with 408.',
  }),
  connectionsMax: count(16_384, {
    description:
      'Maximum open connections per process. Further connections are closed with 503. The limit is lower if the open-file limit allows fewer than two files per connection.',
  }),
  addressConnectionsMax: count(4_096, {
    description:
      'Maximum open connections from one client address (IPv6: /64) per process. Behind `edge.proxies`, requests in progress are counted instead.',
  }),
  addressUnreadMax: count(500, {
    description:
      'Requests from one client address that can be rejected before their body arrives, per ten seconds. Above it, new connections from that address are closed with 503 until the ten seconds are over. Connections from `edge.proxies` do not count.',
  }),
})

export const website = section({
  enabled: Type.Boolean({
    default: true,
    description:
      'Whether the gateway serves the console at `/console/`. If `http.publicUrl` is set, the console is served only on that host.',
  }),
  folder: optionalText('Directory of the built console. Unset: `console/dist`, the output of `npm run console:build`.'),
})

export const docs = section({
  enabled: Type.Boolean({
    default: true,
    description:
      'Whether the gateway serves the documentation at `/docs/`. If `http.publicUrl` is set, the documentation is served only on that host.',
  }),
  folder: optionalText('Directory of the built documentation. Unset: `docs/dist`, the output of `npm run docs:build`.'),
})

/** At least the size that the contract promises, and at most half of the longest string that Node can parse. */
function requestBytes(description: string) {
  return Type.Integer({ minimum: 10_485_760, maximum: 268_435_456, default: 10_485_760, description })
}

export const bodies = section({
  conversationBytesMax: requestBytes(
    'Maximum body of a conversation (Chat Completions, Responses, Messages), and of its token count or quote, in bytes.',
  ),
  recordingBytesMax: requestBytes(
    'Maximum body of a request with a recording, such as a transcription, in bytes. Forms are kept on disk until they are sent.',
  ),
  mediaBytesMax: requestBytes(
    'Maximum JSON body of other requests to models, such as images, videos and embeddings, in bytes.',
  ),
  bytesMax: bodyBytes(
    268_435_456,
    'Maximum total size of unparsed request bodies in memory per process, in bytes. Further bodies are rejected with 503.',
  ),
  addressBytesMax: bodyBytes(
    67_108_864,
    'Maximum total size of unparsed request bodies from one client address (IPv6: /64) per process, in bytes.',
  ),
  runningBytesMax: bodyBytes(
    1_073_741_824,
    'Maximum total size of JSON bodies of 1 MB or more whose requests are running, per process, in bytes. Further bodies are rejected with 503.',
  ),
  runningAddressBytesMax: bodyBytes(
    268_435_456,
    'Maximum total size of JSON bodies of 1 MB or more whose requests are running, from one client address (IPv6: /64) per process, in bytes.',
  ),
  bytesPerSecondMin: Type.Integer({
    minimum: 0,
    maximum: 1_073_741_824,
    default: 16_384,
    description: 'Minimum transfer rate of a JSON body, in bytes per second. Slower bodies are rejected with 408.',
  }),
  paceWindowMs: milliseconds(10_000, {
    description:
      'Window over which the transfer rate is measured, in ms. Windows are consecutive and start with the body.',
  }),
})

export const operating = section({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address on which a gateway serves `/health`, `/ready` and `/metrics`.',
  }),
  port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
    default: null,
    description:
      'Port on which a gateway serves `/health`, `/ready` and `/metrics`. 0 picks any free port. Unset: `http.port` plus 100.',
    expects: 'an integer from 0 to 65535',
  }),
  publicProbes: Type.Boolean({
    default: false,
    description:
      'Whether `/health` and `/ready` are also served on `http.port`, for load balancers that cannot probe another port. `/metrics` is never served there.',
  }),
})

export const worker = section({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address on which a worker serves `/health`, `/ready` and `/metrics`.',
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8490,
    description:
      'Port on which a worker serves `/health`, `/ready` and `/metrics`. 0 picks any free port. Each worker on a machine needs its own port.',
  }),
})

export const edge = section({
  proxies: Type.Array(Type.String(), {
    default: [],
    description: 'Addresses of your own reverse proxies. The gateway trusts the client address header only from these.',
    expects: 'a list of IP addresses and CIDR ranges',
  }),
  clientIpHeader: Type.String({
    pattern: '^[a-z0-9-]+$',
    default: 'x-real-ip',
    description: 'Header in which those proxies send the client address.',
    expects: 'a header name in lower case',
  }),
})

export const warmUp = section({
  timeoutMs: milliseconds(5_000, {
    minimum: 0,
    maximum: 60_000,
    description:
      'Maximum time for the warm-up of a new gateway, in ms. The gateway sends requests to itself in memory before `/ready` succeeds, so that the first clients do not wait for compilation. 0 turns the warm-up off.',
  }),
})

export const drain = section({
  noticeMs: milliseconds(1_000, {
    minimum: 0,
    description:
      'Time between the first failing `/ready` response after SIGTERM and the refusal of new connections, in ms. Gives load balancers time to stop sending traffic.',
  }),
  timeoutMs: milliseconds(30_000, {
    description: 'Maximum time for requests in progress to finish after SIGTERM, in ms.',
  }),
})

export const metrics = section({
  readers: Type.Array(Type.String(), {
    default: ['127.0.0.0/8', '::1'],
    description: 'Addresses that can read `/metrics`. All others get 404.',
    expects: 'a list of IP addresses and CIDR ranges',
  }),
})

export const tracing = section({
  url: eventUrl(
    'OTLP/HTTP endpoint that receives request spans as requests are served, encoded as JSON, such as `http://collector:4318/v1/traces`. Unset: tracing is disabled.',
  ),
  headers: eventHeaders(),
  sampleRatio: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Fraction of the traces started by the gateway that are recorded, from 0 to 1.',
    expects: 'a number from 0 to 1',
  }),
  serviceName: Type.String({
    minLength: 1,
    default: 'weir',
    description: 'Service name of the spans (`service.name`).',
  }),
  resourceAttributes: Type.Array(Type.String(), {
    default: [],
    maxItems: 50,
    description: 'Further resource attributes of the spans, such as `deployment.environment.name=production`.',
    expects: 'a list of at most 50 attributes, each as `name=value`',
  }),
  trustParents: Type.Boolean({
    default: false,
    description:
      "Whether the gateway continues a client's trace (`traceparent`) and records it if the client does. False: every trace begins at the gateway.",
  }),
  propagateTo: Type.Array(Type.String(), {
    default: [],
    maxItems: 100,
    description:
      'Upstream hosts that receive `traceparent` and `tracestate`, such as your own model servers. An entry without a port matches every port. Other hosts receive no trace headers.',
    expects: 'a list of at most 100 hosts such as vllm.internal or vllm.internal:8000',
  }),
})

export const log = section({
  level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Minimum severity to log.',
  }),
  format: Type.Enum(['json', 'text'], {
    default: 'json',
    description: 'Log format: `json` for machines or `text` for people. Text is colored on a terminal.',
  }),
})
