import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realTimers } from '#lib/timers.ts'
import { deferContinue } from '../forms/expect-continue.ts'
import { replyWithError, toGatewayError } from '../error-reply.ts'
import { type BodyBudget, createBodyBudget } from './body-budget.ts'
import { type BodyReader, createBodyReader } from './body-reader.ts'

const text = '{"model":"a"}'
const body = { model: 'a' }

describe('a body that came together with its headers', () => {
  let server: FastifyInstance
  let client: Socket
  const seen: ReturnType<BodyReader['readArrivedJson']>[] = []

  beforeEach(async () => {
    seen.length = 0
    // Nobody has room in this budget, so a body that needed an account would be rejected.
    const budget = createBodyBudget({ bytesMax: 0, addressBytesMax: 0 })
    const pace = { bytesPerSecondMin: 0, windowMs: 60_000 }
    const bodies = createBodyReader({ budget, running: budget, pace, timers: realTimers, clientIp: () => null })
    server = Fastify()
    deferContinue(server)
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', (_request, _payload, done) => done(null))
    server.post('/', async (request, reply) => {
      await nextTurn()
      seen.push(bodies.readArrivedJson(request, reply))
      return reply.send(String(seen.length))
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const address = server.server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    client = connect(address.port, '127.0.0.1')
    client.on('error', () => {})
  })
  afterEach(async () => {
    client.destroy()
    server.server.closeAllConnections()
    await server.close()
  })

  async function send(headers: string, sent: string): Promise<string> {
    client.write(`POST / HTTP/1.1\r\nhost: weir\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${sent}`)
    const [bytes] = await once(client, 'data')
    return String(bytes)
  }

  it.each([
    ['whole', `content-length: ${text.length}`, text, { body, byteCount: text.length }],
    [
      'whole, from a sender that asked first',
      `content-length: ${text.length}\r\nexpect: 100-continue`,
      text,
      { body, byteCount: text.length },
    ],
    ['cut', `content-length: ${text.length + 1}`, text, null],
    [
      'without a declared length',
      'transfer-encoding: chunked',
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      null,
    ],
    ['empty', 'content-length: 0', '', null],
    ['missing', 'x-other: 1', '', null],
  ])('is read without waiting only if it is whole: %s', async (_case, headers, sent, expected) => {
    await send(headers, sent)
    expect(seen).toEqual([expected])
  })

  it('leaves its connection open for the next request', async () => {
    for (const count of ['1', '2', '3']) {
      const answer = await send(`content-length: ${text.length}`, text)
      expect(answer).toContain('Connection: keep-alive')
      expect(answer.endsWith(count)).toBe(true)
    }
  })
})

describe('[NEXT-250] a large body', () => {
  const megabyte = 1_048_576
  const room = createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: 1_000_000_000 })
  const pace = { bytesPerSecondMin: 0, windowMs: 60_000 }
  let server: FastifyInstance
  let url: string
  /** The requests under way, by their names. */
  let open: Map<string, () => void>
  let running: BodyBudget

  beforeEach(async () => {
    open = new Map()
    running = createBodyBudget({ bytesMax: 5 * megabyte, addressBytesMax: 3 * megabyte })
    const bodies = createBodyReader({ budget: room, running, pace, timers: realTimers, clientIp })
    server = Fastify({ bodyLimit: 10 * megabyte })
    deferContinue(server)
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', (_request, _payload, done) => done(null))
    server.setErrorHandler((error, _request, reply) => replyWithError(reply, toGatewayError(error)))
    server.post('/:name', async (request, reply) => {
      const { byteCount } = await bodies.readJson(request, reply)
      const { name } = request.params as { name: string }
      await new Promise<void>((resolve) => open.set(name, resolve))
      return reply.send(String(byteCount))
    })
    url = await server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    for (const end of open.values()) end()
    await server.close()
  })

  const send = (name: string, byteCount: number, options: { from?: string; signal?: AbortSignal } = {}) =>
    fetch(`${url}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-from': options.from ?? '192.0.2.1' },
      body: jsonOf(byteCount),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  const arrived = (name: string) => expect.poll(() => open.has(name)).toBe(true)

  it('counts until its request ends, against its address and against all', async () => {
    const first = send('first', 2 * megabyte)
    await arrived('first')
    const refused = await send('second', 2 * megabyte)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const elsewhere = send('elsewhere', 3 * megabyte, { from: '192.0.2.2' })
    await arrived('elsewhere')
    expect((await send('third', megabyte, { from: '192.0.2.3' })).status).toBe(503)
    expect(running.byteCount).toBe(5 * megabyte)
    open.get('first')?.()
    expect((await first).status).toBe(200)
    await expect.poll(() => running.byteCount).toBe(3 * megabyte)
    const again = send('again', 2 * megabyte)
    await arrived('again')
    open.get('again')?.()
    open.get('elsewhere')?.()
    expect([(await again).status, (await elsewhere).status]).toEqual([200, 200])
    await expect.poll(() => running.byteCount).toBe(0)
  })

  it('no longer counts once its client has left', async () => {
    const leaving = new AbortController()
    const left = send('left', 2 * megabyte, { signal: leaving.signal })
    await arrived('left')
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(() => running.byteCount).toBe(0)
  })

  it('is one of 1 MB or more', async () => {
    const small = send('small', megabyte - 1)
    await arrived('small')
    expect(running.byteCount).toBe(0)
    open.get('small')?.()
    expect((await small).status).toBe(200)
  })
})

const clientIp = ({ headers }: FastifyRequest): string => String(headers['x-from'])

function jsonOf(byteCount: number): string {
  return `{"a":"${'x'.repeat(byteCount - 8)}"}`
}
