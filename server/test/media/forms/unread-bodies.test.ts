import { afterEach, describe, expect, it } from 'vitest'
import { type FormServer, startFormServer } from './form-server.ts'
import { boundary, connectTo, formOf, headOf, listenTo, part, pour, requestOf } from './raw-form.ts'

const piece = Buffer.alloc(65_536, 0x61)
const opening = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n`)
const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

describe('an upload that is not read to its end', () => {
  let server: FormServer
  afterEach(() => server.close())

  it('[LIMIT-12] hears a refusal by its length before it has sent a byte', async () => {
    server = await startFormServer({ drainTimeoutMs: 20 })
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: 50_000_000, keepsAlive: true }))
    await heardStatus(heard, 413)
    await heard.closed
    expect(heard.text).toMatch(/connection: close/i)
    expect(await server.kept()).toEqual([])
  })

  it('[LIMIT-12] hears a refusal in the middle of chunks, and nothing of it is lost in a reset', async () => {
    server = await startFormServer()
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: null, lines: ['transfer-encoding: chunked'], keepsAlive: true }))
    socket.write(chunkOf(opening))
    // More than the limit, and less than the gateway drains after the rejection at 1 MB, from a client that does not
    // read before it has sent everything.
    socket.pause()
    await pour(socket, chunkOf(piece), 72)
    socket.write(chunkOf(Buffer.alloc(0)))
    socket.resume()
    await heard.closed
    expect(heard.text).toMatch(/^HTTP\/1\.1 (?:400|413) /)
    expect(heard.isReset).toBe(false)
    expect(await server.kept()).toEqual([])
  })

  it('is cut off once a refused sender has sent as much again', async () => {
    server = await startFormServer()
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: null, lines: ['transfer-encoding: chunked'], keepsAlive: true }))
    const sent = await pour(socket, chunkOf(piece), 100_000)
    await heard.closed
    expect(sent * piece.length).toBeLessThan(64_000_000)
    expect(heard.text).toMatch(/^HTTP\/1\.1 4/)
  })

  it('of somebody unknown is refused with 401, and neither kept nor read', async () => {
    server = await startFormServer()
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: 4_000_000, authorization: 'Bearer bad', keepsAlive: true }))
    await heardStatus(heard, 401)
    const sent = await pour(socket, piece, 60)
    await heard.closed
    expect(sent).toBeLessThan(61)
    expect(server.arrived).toEqual([])
    expect(await server.kept()).toEqual([])
  })

  it.each([
    ['unknown', { authorization: 'Bearer bad' }, 401],
    ['of the wrong type', { contentType: 'text/plain' }, 400],
  ])('hides no request: the body of a sender who is %s is never read as one', async (_name, head, status) => {
    server = await startFormServer()
    const hidden = requestOf(formOf(part('name="prompt"', 'hidden')), { keepsAlive: true })
    const body = Buffer.concat(Array.from({ length: 50 }, () => hidden))
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(requestOf(body, { ...head, keepsAlive: true }))
    await heard.closed
    expect(heard.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(heard.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(server.acted).toEqual(['/v1/forms'])
  })

  it('is the last that is acted upon: a request behind a refused body is not', async () => {
    server = await startFormServer()
    const hidden = requestOf(formOf(part('name="prompt"', 'hidden')), { keepsAlive: true })
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: 20_000, authorization: 'Bearer bad', keepsAlive: true }))
    await heardStatus(heard, 401)
    socket.write(Buffer.concat([Buffer.alloc(20_000), hidden]))
    await heard.closed
    expect(heard.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(server.acted).toEqual(['/v1/forms'])
    expect(server.arrived).toEqual([])
  })

  it('hides no request: a body that ends before its length takes the next one with it', async () => {
    server = await startFormServer()
    const hidden = requestOf(formOf(part('name="prompt"', 'hidden')), { keepsAlive: true })
    const form = formOf(part('name="prompt"', 'shown'))
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(Buffer.concat([requestOf(form, { length: form.length + hidden.length }), hidden]))
    await heard.closed
    expect(heard.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(server.arrived.map(({ fields }) => fields)).toEqual([{ prompt: 'shown' }])
  })

  it('that is longer than it says is not taken, and its rest is no request', async () => {
    server = await startFormServer()
    const form = formOf(part('name="prompt"', 'shown'))
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(requestOf(form, { length: form.length - 12, keepsAlive: true }))
    await heard.closed
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 /)
    expect(heard.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(server.arrived).toEqual([])
  })

  it('leaves its connection to the next one when it was refused for what it says', async () => {
    server = await startFormServer()
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(requestOf(formOf(part('name="prompt"', 'first')), { keepsAlive: true }))
    await heardStatus(heard, 404)
    socket.write(requestOf(formOf(part('name="prompt"', 'second'))))
    await heard.closed
    expect(server.arrived.map(({ fields }) => fields)).toEqual([{ prompt: 'first' }, { prompt: 'second' }])
  })

  it.each(['fin', 'rst'] as const)(
    'leaves nothing behind when its sender leaves in the middle of a file: %s',
    async (how) => {
      server = await startFormServer()
      const socket = await connectTo(server.url)
      socket.on('error', () => {})
      socket.write(headOf({ length: 3_000_000 }))
      socket.write(opening)
      await pour(socket, piece, 8)
      await expect.poll(async () => (await server.kept()).length).toBe(1)
      if (how === 'rst') socket.resetAndDestroy()
      else socket.end()
      await expect.poll(() => server.kept()).toEqual([])
      await expect.poll(() => server.refused.length).toBe(1)
      expect(server.refused[0]?.errorName).toBe('malformedRequest')
    },
  )

  it('is given up when its sender falls silent', async () => {
    server = await startFormServer({ idleTimeoutMs: 100 })
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: 3_000_000 }))
    socket.write(opening)
    await heardStatus(heard, 400)
    expect(await server.kept()).toEqual([])
    socket.destroy()
  })

  it('is not asked for where the sender waits to be: 401 and 413 come without a 100', async () => {
    server = await startFormServer()
    const lines = ['expect: 100-continue']
    for (const [head, status] of [
      [{ length: 1_000, authorization: 'Bearer bad', lines }, 401],
      [{ length: 50_000_000, lines }, 413],
      [{ length: 1_000, lines, contentType: 'text/plain' }, 400],
    ] as const) {
      const socket = await connectTo(server.url)
      const heard = listenTo(socket)
      socket.write(headOf({ ...head, keepsAlive: true }))
      // Nothing is in transit, so the connection is closed at once, without the hour for which other bodies are
      // drained.
      await heard.closed
      expect(heard.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
  })

  it('is asked for where the sender waits to be and may send', async () => {
    server = await startFormServer()
    const form = formOf(part('name="prompt"', 'shown'))
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(headOf({ length: form.length, lines: ['expect: 100-continue'] }))
    await heardStatus(heard, 100)
    expect(server.arrived).toEqual([])
    socket.write(form)
    await heard.closed
    expect(server.arrived.map(({ fields }) => fields)).toEqual([{ prompt: 'shown' }])
  })

  it('is one of so many at once for a key, and has its place back afterwards', async () => {
    server = await startFormServer({ perKeyMax: 2 })
    const waiting = await Promise.all([connectTo(server.url), connectTo(server.url)])
    for (const socket of waiting) socket.write(Buffer.concat([Buffer.from(headOf({ length: 10_000 })), opening]))
    await expect.poll(async () => (await server.kept()).length).toBe(2)
    const form = formOf(part('name="prompt"', 'x'))
    expect(await statusOf(form)).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1/is)
    for (const socket of waiting) socket.destroy()
    await expect.poll(() => server.kept()).toEqual([])
    await expect.poll(() => statusOf(form)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('has its files removed and its place free by the time it is answered', async () => {
    server = await startFormServer({ perKeyMax: 1 })
    const form = formOf(part('name="image"; filename="a.png"', Buffer.alloc(1_000_000)))
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await statusOf(form)).toMatch(/^HTTP\/1\.1 404 /)
      expect(await server.kept()).toEqual([])
    }
  })

  it('is refused with 503 where all together would be too much', async () => {
    server = await startFormServer({ bytesMax: 4_300_000 })
    const socket = await connectTo(server.url)
    // Without a length it may reach the whole limit.
    socket.write(headOf({ length: null, lines: ['transfer-encoding: chunked'] }))
    await expect.poll(async () => (await server.kept()).length).toBe(1)
    const form = formOf(part('name="prompt"', 'x'.repeat(200_000)))
    expect(await statusOf(form)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 2/is)
    socket.destroy()
    await expect.poll(() => statusOf(form)).toMatch(/^HTTP\/1\.1 404 /)
  })

  async function statusOf(form: Buffer): Promise<string> {
    const socket = await connectTo(server.url)
    const heard = listenTo(socket)
    socket.write(requestOf(form))
    await heard.closed
    return heard.text
  }
})

async function heardStatus(heard: { text: string }, status: number): Promise<void> {
  await expect.poll(() => heard.text, { interval: 5 }).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
}
