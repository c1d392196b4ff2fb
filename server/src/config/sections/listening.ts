import { Type } from 'typebox'
import { bodyBytes, count, eventHeaders, eventUrl, milliseconds, optionalText, section } from '../setting-kinds.ts'

// What a process listens on, how it takes requests in, and how it ends.

export const http = section({
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
  port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8484, description: 'Port to listen on; 0 takes any.' }),
  publicUrl: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'Where clients reach the gateway, for absolute links in answers. Unset: derived from the request.',
    expects: 'an http:// or https:// URL',
  }),
  headTimeoutMs: milliseconds(10_000, {
    maximum: 300_000,
    description: 'How long the head of a request may take to arrive; afterwards the answer is 408.',
  }),
  connectionsMax: count(16_384, {
    description:
      'Open connections of a process; further ones are closed with 503. Fewer where the limit of open files leaves less than two for each.',
  }),
  addressConnectionsMax: count(4_096, {
    description:
      'Open connections from one client address (IPv6: /64), in each process. Behind `edge.proxies` requests under way count instead.',
  }),
  addressUnreadMax: count(500, {
    description:
      'Requests from one client address in ten seconds that are refused before their body has come; then its new connections are closed with 503 until the ten seconds are over. Connections of `edge.proxies` do not count.',
  }),
})

export const website = section({
  enabled: Type.Boolean({
    default: true,
    description:
      'Whether the gateway serves the console under `/console/`, on the host of `http.publicUrl` alone where that is set.',
  }),
  folder: optionalText(
    'The folder of the built console. Unset: `console/dist`, where `npm run console:build` writes it.',
  ),
})

export const docs = section({
  enabled: Type.Boolean({
    default: true,
    description:
      'Whether the gateway serves the documentation under `/docs/`, on the host of `http.publicUrl` alone where that is set.',
  }),
  folder: optionalText(
    'The folder of the built documentation. Unset: `docs/dist`, where `npm run docs:build` writes it.',
  ),
})

export const bodies = section({
  bytesMax: bodyBytes(
    268_435_456,
    'Bytes of bodies in memory that are not parsed yet, in each process; further ones are refused with 503.',
  ),
  addressBytesMax: bodyBytes(67_108_864, 'The same for one client address (IPv6: /64).'),
  bytesPerSecondMin: Type.Integer({
    minimum: 0,
    maximum: 1_073_741_824,
    default: 16_384,
    description: 'How fast a JSON body must arrive; a slower one is refused with 408. Bytes per second.',
  }),
  paceWindowMs: milliseconds(10_000, {
    description: 'Over how long that is measured, time after time from the beginning of the body.',
  }),
})

export const operating = section({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address on which a gateway answers `/health`, `/ready` and `/metrics`.',
  }),
  port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
    default: null,
    description: 'Port for them; 0 takes any. Unset: 100 above `http.port`.',
    expects: 'an integer from 0 to 65535',
  }),
  publicProbes: Type.Boolean({
    default: false,
    description:
      'Whether `/health` and `/ready` are also answered on `http.port`, for a balancer that can ask no other port. `/metrics` never is.',
  }),
})

export const worker = section({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address on which a worker answers `/health`, `/ready` and `/metrics`.',
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8490,
    description: 'Port for them; 0 takes any. Each worker of a machine needs another one.',
  }),
})

export const edge = section({
  proxies: Type.Array(Type.String(), {
    default: [],
    description: 'Addresses of your own proxies. Only their word about the client address is believed.',
    expects: 'a list of IP addresses and CIDR ranges',
  }),
  clientIpHeader: Type.String({
    pattern: '^[a-z0-9-]+$',
    default: 'x-real-ip',
    description: 'The header in which those proxies name the client address.',
    expects: 'a header name in lower case',
  }),
})

export const drain = section({
  noticeMs: milliseconds(1_000, {
    minimum: 0,
    description: 'How long `/ready` says no after SIGTERM before connections are refused, so that balancers notice.',
  }),
  timeoutMs: milliseconds(30_000, { description: 'How long running requests may go on after SIGTERM.' }),
})

export const metrics = section({
  readers: Type.Array(Type.String(), {
    default: ['127.0.0.0/8', '::1'],
    description: 'Addresses that may read `/metrics`; for all others it does not exist.',
    expects: 'a list of IP addresses and CIDR ranges',
  }),
})

export const tracing = section({
  url: eventUrl(
    'Where spans of requests are sent while they are served, as OTLP over HTTP in JSON: `http://collector:4318/v1/traces`. Unset: no traces are made.',
  ),
  headers: eventHeaders(),
  sampleRatio: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'The share of traces to record, of those that begin at the gateway.',
    expects: 'a number from 0 to 1',
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
      'Hosts of upstreams that are sent `traceparent` and `tracestate`, such as your own model servers; with a port, or for every port. All others learn nothing of a trace.',
    expects: 'a list of at most 100 hosts such as vllm.internal or vllm.internal:8000',
  }),
})

export const log = section({
  level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Least severity that is logged.',
  }),
  format: Type.Enum(['json', 'text'], {
    default: 'json',
    description: 'How an event is written: as JSON for machines, or as a line for people, on a terminal in colours.',
  }),
})
