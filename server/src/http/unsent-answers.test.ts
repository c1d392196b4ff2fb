import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpConnection } from './inference/http-connection.ts'
import { UnsentAnswers, type UnsentLimits } from './unsent-answers.ts'

const megabyte = 1_048_576
const hourMs = 3_600_000

async function bytesUntilEnd(socket: Socket, expected: number): Promise<number> {
  let count = 0
  for await (const chunk of socket) {
    count += (chunk as Buffer).length
    if (count >= expected) break
  }
  return count
}

describe('C6: an answer that its client does not read', () => {
  let server: Server
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Answers each request with a document of the requested number of megabytes. */
  async function listen(limits: UnsentLimits): Promise<void> {
    const unsent = new UnsentAnswers(limits)
    server = createServer((request, response) => {
      response.once('close', () => server.emit('dropped'))
      const connection = new HttpConnection(response, { nowMs: Date.now, unsent })
      const body = 'x'.repeat(Number(request.url?.slice(1)) * megabyte)
      connection.send({ kind: 'document', headers: {}, body })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  async function ask(megabytes: number, key = 'one'): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.pause()
    const answered = once(server, 'request')
    socket.write(`GET /${megabytes} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`)
    await answered
    return socket
  }

  it('is dropped after a while', async () => {
    await listen({ idleMs: 50, bytesMax: 1_024 * megabyte })
    const dropped = once(server, 'dropped')
    const socket = await ask(32)
    await dropped
    expect(await bytesUntilEnd(socket, 32 * megabyte)).toBeLessThan(32 * megabyte)
  })

  it('is dropped when newer ones need its memory, the oldest first', async () => {
    await listen({ idleMs: hourMs, bytesMax: 70 * megabyte })
    const [first, second, third] = [await ask(32), await ask(32), await ask(32)]
    expect(await bytesUntilEnd(first, 32 * megabyte)).toBeLessThan(32 * megabyte)
    expect(await bytesUntilEnd(second, 32 * megabyte)).toBeGreaterThanOrEqual(32 * megabyte)
    expect(await bytesUntilEnd(third, 32 * megabyte)).toBeGreaterThanOrEqual(32 * megabyte)
  })

  it('is dropped for the answers of its own client, and never for those of another', async () => {
    await listen({ idleMs: hourMs, bytesMax: 70 * megabyte })
    const slow = await ask(32, 'slow')
    const greedy = [await ask(32, 'greedy'), await ask(32, 'greedy'), await ask(32, 'greedy')]
    const read = await Promise.all([slow, ...greedy].map((socket) => bytesUntilEnd(socket, 32 * megabyte)))
    expect(read.map((bytes) => bytes >= 32 * megabyte)).toEqual([true, false, false, true])
  })

  it('leaves a client that reads, and its next request, alone', async () => {
    await listen({ idleMs: hourMs, bytesMax: 40 * megabyte })
    const socket = await ask(32)
    for (let request = 0; request < 3; request += 1) {
      let count = 0
      while (count < 32 * megabyte) {
        const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
        count += chunk.length
      }
      socket.write('GET /32 HTTP/1.1\r\nhost: a\r\n\r\n')
    }
    expect(socket.destroyed).toBe(false)
    socket.destroy()
  })
})
