import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestTimers, type TestTimers } from '#test/setup/test-timers.ts'

const piece = Buffer.alloc(65_536, 0x20)

const headOf = (path: string, lines: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\nhost: weir\r\ncontent-type: application/json\r\n${lines.join('\r\n')}\r\n\r\n`
const padded = (length: number): string => `{"key":"sk-edu-x"}${' '.repeat(length)}`

describe('a body', () => {
  let world: ChatWorld
  let key: string
  let timers: TestTimers
  beforeAll(async () => {
    timers = createTestTimers()
    world = await startChatWorld({}, { timers })
    key = (await world.caller()).key
  })
  afterAll(() => world.close())

  /** Opens a connection and returns both ends and the responses on it. */
  async function join() {
    const accepted = once(world.gateway.gateway.server.server, 'connection')
    const client = connect(Number(new URL(world.gateway.url).port), '127.0.0.1')
    const heard = { text: '', closed: new Promise((resolve) => client.once('close', resolve)) }
    client.on('error', () => {}).on('data', (bytes) => (heard.text += bytes.toString('latin1')))
    const [served]: Socket[] = await accepted
    if (served === undefined) throw new Error('no connection')
    return { client, served, heard }
  }

  it.each(['/api/edu/request-code', '/api/edu/verify', '/api/auth/sign-in/email'])(
    '[B1] of more than 16 KB is refused where nobody has to say who they are: %s',
    async (path) => {
      expect((await world.gateway.as().post(path, padded(20_000))).status).toBe(413)
      expect((await world.gateway.as().post(path, padded(10_000))).status).not.toBe(413)
      const stream = new Blob([padded(20_000)]).stream()
      expect((await world.gateway.as().post(path, stream)).status).toBe(413)
    },
  )

  it('[B1] with a field named `__proto__` is refused where nobody has to say who they are', async () => {
    const statuses: number[] = []
    for (const name of ['proto', '__proto__']) {
      const body = `{"${name}":1,"key":"sk-edu-x","email":"${name}@b.test"}`
      statuses.push((await world.gateway.as().post('/api/edu/request-code', body)).status)
    }
    // The first is read, and refused only because this gateway has no mail server.
    expect(statuses).toEqual([503, 400])
  })

  it.each([
    ['without a key', [], '/v1/chat/completions'],
    ['with an unknown key', [`authorization: Bearer sk-weir-${'x'.repeat(40)}`], '/v1/chat/completions'],
    ['of an endpoint that does not exist', [], '/v1/nothing'],
    ['of an endpoint for accounts', [], '/v1/keys'],
  ])('[B5] %s is answered before it is sent, and little of it is read', async (_name, lines, path) => {
    const { client, served, heard } = await join()
    client.write(headOf(path, [...lines, 'content-length: 10000000']))
    await expect.poll(() => heard.text).toMatch(/^HTTP\/1\.1 40[14] .*connection: close/is)
    for (let count = 0; count < 150 && client.writable; count += 1) client.write(piece)
    await heard.closed
    // 64 KB, plus one socket read, plus the bytes that Node buffers of a request.
    expect(served.bytesRead).toBeLessThan(4 * piece.length)
  })

  it('[B5] of a stranger who says no length is answered all the same', async () => {
    const { client, served, heard } = await join()
    client.write(headOf('/v1/chat/completions', ['transfer-encoding: chunked']))
    await expect.poll(() => heard.text).toMatch(/^HTTP\/1\.1 401 /)
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    for (let count = 0; count < 150 && client.writable; count += 1) client.write(chunk)
    await heard.closed
    expect(served.bytesRead).toBeLessThan(5 * piece.length)
  })

  it('[B5] that comes too slowly is answered 408, and its connection is closed', async () => {
    const { client, served, heard } = await join()
    const body = JSON.stringify({ model: 'openai/gpt-5.2', messages: hello })
    client.write(headOf('/v1/chat/completions', [`authorization: Bearer ${key}`, `content-length: ${body.length}`]))
    client.write(body.slice(0, 10))
    await expect.poll(() => served.bytesRead).toBeGreaterThan(10)
    await expect
      .poll(async () => {
        await timers.pass(10_000)
        return heard.text
      })
      .toMatch(/^HTTP\/1\.1 408 .*connection: close.*"code":408/is)
    await heard.closed
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[B5] has ten seconds for its head', () => {
    const { headersTimeout } = world.gateway.gateway.server.server
    expect(headersTimeout).toBe(10_000)
  })

  it('[B5] leaves its connection to the next one when its sender is refused after all of it has come', async () => {
    const { client, heard } = await join()
    const lines = ['content-length: 2', 'authorization: Bearer x']
    client.write(`${headOf('/v1/chat/completions', lines)}{}`)
    await expect.poll(() => heard.text).toMatch(/^HTTP\/1\.1 401 /)
    client.write('GET /v1/models HTTP/1.1\r\nhost: weir\r\nconnection: close\r\n\r\n')
    await heard.closed
    expect(heard.text).toMatch(/HTTP\/1\.1 200 /)
  })
})
