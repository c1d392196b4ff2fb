import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { type EdgeClient, type EdgeServer, reported, startEdgeServer, windowMs } from './edge-server.ts'

/**
 * Requests with exactly this content type skip the rest of Fastify's way to the handler. A parameter means the same,
 * and takes the whole way.
 */
const short = 'application/json'
const whole = 'application/json; charset=utf-8'

interface Row {
  readonly name: string
  /** Null if the client does not wait for an answer. */
  readonly status: number | null
  readonly line?: string
  readonly headers?: readonly string[]
  readonly body?: string
  /** Declared unless the headers declare another framing. */
  readonly framing?: string
  readonly inFlightBytesMax?: number
  /** What the client does after its first bytes. Nothing follows the request if this is set. */
  readonly next?: Act
}

const body = '{"model":"a/b","messages":[]}'
const cutAt = 9
const chunked = 'transfer-encoding: chunked'
const inChunks = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const good = 'authorization: Bearer good'
const asksFirst = 'expect: 100-continue'

type Act = (edge: EdgeServer, client: EdgeClient, type: string) => Promise<void>

const sends =
  (text: string): Act =>
  async (edge, { socket }) => {
    await reported(edge, 1)
    socket.end(text)
  }
/** Sends nothing more, and leaves with the answer. */
const leaves: Act = async (_edge, { socket }) => {
  await once(socket, 'data')
  socket.end()
}
const waits: Act = async (edge, client, type) => {
  await reported(edge, 1)
  const left = leaves(edge, client, type)
  await edge.timers.pass(windowMs)
  await left
}
const cuts: Act = async (edge, { socket }) => {
  await reported(edge, 1)
  socket.destroy()
}
/** The rest of the body, and a request that the server reads only after it has begun to close. */
const closes: Act = async (edge, { socket }, type) => {
  await reported(edge, 1)
  void edge.server.close()
  socket.write(body.slice(cutAt) + textOf({}, type))
}

const served: readonly Row[] = [
  { name: 'whole', status: 200 },
  {
    name: 'for Messages, with its key and betas',
    status: 200,
    line: 'POST /v1/messages',
    headers: ['x-api-key: good', 'anthropic-beta: one, two'],
  },
  { name: 'for Responses', status: 200, line: 'POST /v1/responses' },
  { name: 'for embeddings', status: 200, line: 'POST /v1/embeddings' },
  {
    name: 'for images',
    status: 200,
    line: 'POST /v1/images/generations',
    headers: [good, 'accept: text/event-stream'],
  },
  { name: 'with the headers that are read', status: 200, headers: [good, 'x-title: Müller', 'x-free-fallback: FALSE'] },
  {
    name: 'with trace headers',
    status: 200,
    headers: [good, `traceparent: 00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`],
  },
  {
    name: 'with a session cookie of another origin',
    status: 200,
    headers: [good, 'cookie: weir_session=a', 'origin: https://else.example'],
  },
  { name: 'under the legacy prefix', status: 200, line: 'POST /api/v1/chat/completions' },
  { name: 'with a query', status: 200, line: 'POST /v1/chat/completions?a=1&a=2' },
  { name: 'with a trailing slash', status: 200, line: 'POST /v1/chat/completions/' },
  { name: 'with an escaped path', status: 200, line: 'POST /v1/%63hat/completions' },
  { name: 'with an absolute URL', status: 200, line: 'POST http://weir.example/v1/chat/completions' },
  { name: 'with an identity encoding', status: 200, headers: [good, 'content-encoding: identity'] },
  { name: 'of an unknown length', status: 200, framing: chunked, body: inChunks(body) },
  {
    name: 'in two pieces',
    status: 200,
    framing: `content-length: ${body.length}`,
    body: body.slice(0, cutAt),
    next: sends(body.slice(cutAt)),
  },
  {
    name: 'while the server closes',
    status: 200,
    framing: `content-length: ${body.length}`,
    body: body.slice(0, cutAt),
    next: closes,
  },
  { name: 'for a browser that asks whether it may', status: 204, line: 'OPTIONS /v1/chat/completions' },
  {
    name: 'that asks first',
    status: 200,
    headers: [good, asksFirst],
    framing: `content-length: ${body.length}`,
    body: '',
    next: sends(body),
  },
  { name: 'that asks first and does not wait', status: 200, headers: [good, asksFirst] },
]

const rejected: readonly Row[] = [
  { name: 'by the pipeline', status: 503, body: '{"fails":true}' },
  { name: 'by the pipeline, for Messages', status: 503, line: 'POST /v1/messages', body: '{"fails":true}' },
  { name: 'without a credential', status: 401, headers: [] },
  {
    name: 'without a credential, in two pieces',
    status: 401,
    headers: [],
    framing: 'content-length: 99',
    body: '{',
    next: leaves,
  },
  {
    name: 'without a credential, that asks first',
    status: 401,
    headers: [asksFirst],
    framing: 'content-length: 99',
    body: '',
    next: leaves,
  },
  { name: 'with another expectation', status: 417, headers: [good, 'expect: coffee'] },
  { name: 'with GET', status: 404, line: 'GET /v1/chat/completions' },
  { name: 'with HEAD', status: 404, line: 'HEAD /v1/chat/completions' },
  { name: 'with PUT', status: 404, line: 'PUT /v1/chat/completions' },
  { name: 'with a double slash', status: 404, line: 'POST //v1/chat/completions' },
  { name: 'without the version', status: 404, line: 'POST /chat/completions' },
  { name: 'without a body', status: 400, body: '' },
  { name: 'of no length', status: 400, framing: 'x-nothing: 1', body: '' },
  { name: 'of blanks', status: 400, body: '  ' },
  { name: 'that is not JSON', status: 400, body: '{"model"' },
  { name: 'that is not an object', status: 400, body: '[]' },
  { name: 'with a forbidden key', status: 400, body: '{"__proto__":1}' },
  { name: 'with too deep values', status: 400, body: `{"a":${'['.repeat(500)}${']'.repeat(500)}}` },
  { name: 'in gzip', status: 415, headers: [good, 'content-encoding: gzip'] },
  { name: 'in two transfer encodings', status: 400, framing: 'transfer-encoding: gzip, chunked', body: inChunks(body) },
  {
    name: 'that declares too much',
    status: 413,
    framing: 'content-length: 10485761',
    body: '{',
    next: leaves,
  },
  { name: 'that sends too much', status: 413, framing: chunked, body: inChunks(' '.repeat(10_485_761)) },
  { name: 'beyond the bytes in flight', status: 503, framing: chunked, body: inChunks(body), inFlightBytesMax: 20 },
  { name: 'that was cut', status: null, framing: 'content-length: 99', body: '{', next: cuts },
  { name: 'that is too slow', status: 408, framing: 'content-length: 2000', body: '{', next: waits },
]

describe('an inference request gets the same answer on the short and on the whole way', () => {
  const servers: EdgeServer[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((edge) => edge.close()))
  })

  async function exchange(row: Row, type: string): Promise<{ answer: string; reports: readonly string[] }> {
    const edge = await startEdgeServer(row)
    servers.push(edge)
    const client = await edge.connect()
    // The request after it shows whether its connection was left open.
    client.socket.write(`${textOf(row, type)}${row.next === undefined ? lastRequest : ''}`)
    await row.next?.(edge, client, type)
    const answer = comparable(await client.received())
    await expect.poll(() => edge.reports.filter((line) => line.includes(' ')).length).toBe(endsIn(edge))
    return { answer, reports: edge.reports }
  }

  it.each(served)('served $name', async (row) => {
    const [one, other] = [await exchange(row, short), await exchange(row, whole)]
    expect(one).toEqual(other)
    expect(statusOf(one.answer)).toBe(row.status)
  })

  it.each(rejected)('rejected $name', async (row) => {
    const [one, other] = [await exchange(row, short), await exchange(row, whole)]
    expect(one).toEqual(other)
    expect(statusOf(one.answer)).toBe(row.status)
  })
})

const lastRequest = 'GET /v1/nothing HTTP/1.1\r\nhost: weir.example\r\nconnection: close\r\n\r\n'

function textOf(row: Partial<Row>, type: string): string {
  const { line = 'POST /v1/chat/completions', headers = [good], body: sent = body } = row
  const framing = row.framing ?? `content-length: ${sent.length}`
  const head = [`${line} HTTP/1.1`, 'host: weir.example', `content-type: ${type}`, ...headers, framing]
  return `${head.join('\r\n')}\r\n\r\n${sent}`
}

/** All but the ids and the time. */
function comparable(text: string): string {
  return text
    .replaceAll(/\b(req_|gen-)[0-9a-f]{32}/g, '$1')
    .replaceAll(/^Date: .*$/gm, 'Date:')
    .replaceAll(/"created(_at)?":\d+/g, '"created":0')
}

function statusOf(text: string): number | null {
  const [, status] = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  return status === undefined ? null : Number(status)
}

function endsIn({ reports }: EdgeServer): number {
  return reports.filter((line) => line === 'began').length
}
