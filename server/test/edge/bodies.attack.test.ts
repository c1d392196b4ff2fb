import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bodySeenBy, type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { exchangeRaw } from './raw-exchange.ts'

const good = JSON.stringify({ model: 'openai/gpt-5.2', messages: hello })

describe('a body meant to do harm', () => {
  let world: ChatWorld
  let key: string
  beforeAll(async () => {
    world = await startChatWorld()
    key = (await world.caller()).key
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    world.gateway.as(key).post('/v1/chat/completions', body, { headers })

  it.each([
    ['at the top', '"__proto__":{"polluted":1,"stream":true}'],
    ['in a message', '"messages":[{"role":"user","content":"Hi","__proto__":{"polluted":1}}]'],
    ['deep inside', '"image_config":{"a":[{"__proto__":{"polluted":1}}]}'],
    ['as an escape', '"\\u005f_proto__":{"polluted":1},"image_config":{"__prot\\u006f__":{"polluted":1}}'],
    ['as an upper case escape', '"image_config":{"\\u005F\\u005Fproto__":{"polluted":1}}'],
    ['as the prototype of a list', '"stop":["a"],"image_config":{"__proto__":[]}'],
  ])('[P13] [B1] is refused, and pollutes no prototype %s', async (_name, members) => {
    const response = await post(`{"model":"openai/gpt-5.2","messages":${JSON.stringify(hello)},${members}}`)
    expect(response.status).toBe(400)
    expect(response.json).toMatchObject({ error: { message: expect.stringContaining('`__proto__`') } })
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[P13] pollutes no prototype through the constructor', async () => {
    const members = '"constructor":{"prototype":{"polluted":1}}'
    const response = await post(`{"model":"openai/gpt-5.2","messages":${JSON.stringify(hello)},${members}}`)
    expect(response.status).toBe(200)
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(bodySeenBy(world.openai).model).toBe('gpt-5.2')
  })

  it('pollutes no prototype through headers or the query', async () => {
    const head = `GET /v1/models?__proto__[polluted]=1&constructor[prototype][polluted]=1 HTTP/1.1\r\nhost: x\r\n`
    const { answers } = await exchangeRaw(
      world.gateway.url,
      `${head}__proto__: polluted\r\nconstructor: x\r\nconnection: close\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([200])
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    'application/json\ta',
    'application/json a',
    'application/jsonx',
    'application/json, text/plain',
    'text/plain',
    'text/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(5_000)}`,
    'application/x-www-form-urlencoded',
    '*/*',
    '',
  ])('is refused under the type %j', async (type) => {
    const { answers } = await exchangeRaw(
      world.gateway.url,
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([415])
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('is accepted under the type %s', async (type) => {
    expect((await post(good, { 'content-type': type })).status).toBe(200)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity, gzip', 'x-gzip', 'GZIP'])(
    'is refused when compressed: %s',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20))
      const response = await post(new Uint8Array(bomb), { 'content-encoding': encoding })
      expect(response.status).toBe(415)
      expect(world.upstreamCalls()).toBe(0)
    },
  )

  it('is refused when larger than the limit, however it is sent', async () => {
    const large = `{"model":"openai/gpt-5.2","messages":[{"role":"user","content":"${'x'.repeat(11_000_000)}"}]}`
    expect((await post(large)).status).toBe(413)
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
    const piece = `${(1_000_000).toString(16)}\r\n${' '.repeat(1_000_000)}\r\n`
    const { answers } = await exchangeRaw(
      world.gateway.url,
      `${head}transfer-encoding: chunked\r\n\r\n${piece.repeat(12)}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([413])
    expect(answers[0]?.headers.get('connection')).toBe('close')
    expect(world.upstreamCalls()).toBe(0)
  })

  it('is no fault of ours when its sender leaves in the middle of it', async () => {
    const noted = () =>
      world.gateway.logLines.filter(
        (line) => line.includes('The request could not be read') || line.includes('aborted'),
      )
    const { port } = new URL(world.gateway.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
    socket.write(`${head}content-length: ${good.length}\r\n\r\n${good.slice(0, 10)}`, () => socket.resetAndDestroy())
    await expect.poll(() => noted().length).toBeGreaterThan(0)
    expect(noted().every((line) => line.includes('"malformedRequest"') && line.includes('"level":30'))).toBe(true)
    expect(world.upstreamCalls()).toBe(0)
  })

  it('is refused when it says one length and has another', async () => {
    for (const length of [good.length + 10, good.length - 10]) {
      const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
      const { answers } = await exchangeRaw(world.gateway.url, `${head}content-length: ${length}\r\n\r\n${good}`, 1_000)
      expect(answers.every(({ status }) => status === 400)).toBe(true)
      expect(world.upstreamCalls()).toBe(0)
    }
  })
})
