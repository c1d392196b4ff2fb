import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realTimers } from '#lib/timers.ts'
import { deferContinue } from '../forms/expect-continue.ts'
import { createBodyBudget } from './body-budget.ts'
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
    const bodies = createBodyReader({ budget, pace, timers: realTimers, clientIp: () => null })
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
