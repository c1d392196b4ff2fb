import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { ownOrigin } from './own-origin.ts'

interface Seen {
  method: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

describe('the client', () => {
  let server: Server
  let url: string
  let seen: Seen
  let requests = 0
  let answer: { type: string; body: string | Buffer; status?: number }

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      seen = { method: request.method, headers: request.headers, body: Buffer.concat(parts).toString('utf8') }
      requests += 1
      const headers = { 'content-type': answer.type, location: '/elsewhere', 'x-request-id': `req_${requests}` }
      response.writeHead(answer.status ?? 200, headers).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  beforeEach(() => {
    answer = { type: 'application/json', body: '{}' }
  })
  afterAll(() => void server.close())

  it('tells keys from sessions, and names the own page with writes of a session alone', async () => {
    const cookie = 'weir_session=token'
    await createClient(url, 'edu-sess-1').post('/')
    expect(seen.headers).toMatchObject({ authorization: 'Bearer edu-sess-1' })
    expect(seen.headers).not.toHaveProperty('origin')
    await createClient(url, cookie).get('/')
    expect(seen.headers).toMatchObject({ cookie })
    expect(seen.headers).not.toHaveProperty('origin')
    await createClient(url, cookie).delete('/')
    expect(seen.headers).toMatchObject({ cookie, origin: ownOrigin })
    await createClient(url).get('/')
    expect(seen.headers).not.toHaveProperty('authorization')
    expect(seen.headers).not.toHaveProperty('cookie')
  })

  it('sends JSON as such, everything else as it is, and no type without a body', async () => {
    const client = createClient(url)
    await client.post('/', { a: 1 })
    expect(seen).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } })
    await client.put('/', '{', { headers: { 'content-type': 'text/plain' } })
    expect(seen).toMatchObject({ method: 'PUT', body: '{', headers: { 'content-type': 'text/plain' } })
    await client.post('/', Buffer.from('bytes'))
    expect(seen).toMatchObject({ body: 'bytes', headers: { 'content-length': '5' } })
    await client.post('/', new Blob(['stream']).stream())
    expect(seen).toMatchObject({ body: 'stream', headers: { 'transfer-encoding': 'chunked' } })
    const form = new FormData()
    form.set('field', 'value')
    await client.post('/', form)
    expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    await client.delete('/')
    expect(seen.headers).not.toHaveProperty('content-type')
  })

  it('gives replies that are equal by status and text, whatever their headers say', async () => {
    const [one, other] = [await createClient(url).get('/'), await createClient(url).get('/')]
    expect(other).toEqual(one)
    expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
    answer = { ...answer, body: '{"a":1}' }
    expect(await createClient(url).get('/')).not.toEqual(one)
    answer = { ...answer, body: '{}', status: 201 }
    expect(await createClient(url).get('/')).not.toEqual(one)
  })

  it('does not follow redirects', async () => {
    answer = { type: 'text/plain', body: '', status: 302 }
    expect(await createClient(url).get('/')).toMatchObject({ status: 302, json: {} })
  })

  it('accepts no document but a JSON object', async () => {
    for (const body of ['[]', 'null', '<html>']) {
      answer = { type: 'application/json', body }
      const reply = await createClient(url).get('/')
      expect(() => reply.json).toThrow()
    }
    answer = { type: 'application/json', body: '{"data":[{"id":1}],"error":{"message":"no"}}' }
    expect(await createClient(url).get('/')).toMatchObject({ list: [{ id: 1 }], data: {}, message: 'no' })
  })

  it('reads the events of a stream, and no two payloads as one', async () => {
    const type = 'text/event-stream; charset=utf-8'
    answer = { type, body: ': comment\n\nevent: start\ndata: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n' }
    const reply = await createClient(url).get('/')
    expect(reply).toMatchObject({ isStream: true, json: {}, chunks: [{ a: 1 }, { a: 2 }], sawDone: true })
    expect(reply.events.map(({ event }) => event)).toEqual(['start', null])
    expect(reply.chunks[0]).toBe(reply.events[0]?.data)
    answer = { type, body: 'data: {"a":1}\ndata: {"a":2}\n\n' }
    const broken = await createClient(url).get('/')
    expect(() => broken.chunks).toThrow()
    expect(broken.sawDone).toBe(false)
  })

  it('gives text without a byte order mark, and bytes with it', async () => {
    answer = { type: 'text/csv', body: '\ufeffa,b' }
    const { text, bytes } = await createClient(url).get('/')
    expect([text, bytes.length]).toEqual(['a,b', 6])
  })
})
