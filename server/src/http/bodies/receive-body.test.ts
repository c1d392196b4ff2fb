import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { createTestTimers, type TestTimers } from '#test/setup/test-timers.ts'
import { type BodyBudget, createBodyBudget } from './body-budget.ts'
import { type ReceivedBody, receiveBody } from './receive-body.ts'

const pace = { bytesPerSecondMin: 100, windowMs: 10_000 }

describe('a body that arrives', () => {
  let server: Server
  let client: Socket
  let timers: TestTimers
  let budget: BodyBudget
  let request: IncomingMessage

  beforeEach(async () => {
    timers = createTestTimers()
    budget = createBodyBudget({ bytesMax: 5_000, addressBytesMax: 5_000 })
    server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    client = connect(address.port, '127.0.0.1')
    client.on('error', () => {})
  })
  afterEach(() => {
    client.destroy()
    server.close().closeAllConnections()
  })

  /** Sends a head and the first part of the body, and starts to receive. */
  async function begin(length: number | null, first = ''): Promise<{ done: Promise<ReceivedBody> }> {
    const framing = length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`
    const asked = once(server, 'request')
    client.write(`POST / HTTP/1.1\r\nhost: weir\r\n${framing}\r\n\r\n${first}`)
    ;[request] = await asked
    const done = receiveBody(request, { bytesMax: 4_000, addressOf: () => 'a' }, { budget, pace, timers })
    done.catch(() => {})
    return { done }
  }

  const sendMore = async (byteCount: number, before: number): Promise<void> => {
    client.write('x'.repeat(byteCount))
    await expect.poll(() => budget.byteCount).toBe(before + byteCount)
  }

  it('[B5] is given up with 408 once too little came in one window, and its bytes no longer count', async () => {
    const { done } = await begin(4_000)
    await sendMore(1_000, 0)
    await timers.pass(10_000)
    await sendMore(1_000, 1_000)
    await timers.pass(10_000)
    await sendMore(999, 2_000)
    await timers.pass(9_999)
    expect(budget.byteCount).toBe(2_999)
    await timers.pass(1)
    await expect(done).rejects.toMatchObject({ errorName: 'bodyTooSlow', row: { status: 408 } })
    expect(budget.byteCount).toBe(0)
    expect(request.socket.destroyed).toBe(false)
  })

  it('[B5] is given up as well where nothing but its head came', async () => {
    const { done } = await begin(4_000)
    await timers.pass(10_000)
    await expect(done).rejects.toMatchObject({ errorName: 'bodyTooSlow' })
  })

  it('is no longer judged by its pace once it is complete', async () => {
    const { done } = await begin(2_000)
    await sendMore(1_500, 0)
    client.write('x'.repeat(500))
    const { bytes, release } = await done
    await timers.pass(100_000)
    expect(bytes).toHaveLength(2_000)
    expect(budget.byteCount).toBe(2_000)
    release()
    expect(budget.byteCount).toBe(0)
  })

  it('that comes in one piece is not counted', async () => {
    const { done } = await begin(5, 'hello')
    const { bytes } = await done
    expect(bytes.toString()).toBe('hello')
    expect(budget.byteCount).toBe(0)
  })

  it('[B5] is refused by the length that it names, before any of it is read', async () => {
    const { done } = await begin(4_001)
    await expect(done).rejects.toMatchObject({ errorName: 'bodyTooLarge' })
    expect(request.listenerCount('data')).toBe(0)
  })

  it('[B5] is refused once it is longer than it may be, and nothing of it stays', async () => {
    const { done } = await begin(null)
    client.write(`fa1\r\n${'x'.repeat(4_001)}\r\n`)
    await expect(done).rejects.toMatchObject({ errorName: 'bodyTooLarge' })
    expect(budget.byteCount).toBe(0)
  })

  it('[B5] is refused with 503 where all together would be too much', async () => {
    budget.open('b').add(4_000)
    const { done } = await begin(2_000)
    client.write('x'.repeat(1_500))
    await expect(done).rejects.toMatchObject({ errorName: 'overloaded', retryAfterS: 2 })
    expect(budget.byteCount).toBe(4_000)
  })

  /** Starts to receive a body of 600,000 bytes after sending 300,000, and returns the verdict. */
  async function beginLarge(assertBegin: (bytes: Buffer) => void): Promise<{ done: Promise<ReceivedBody> }> {
    budget = createBodyBudget({ bytesMax: 1_000_000, addressBytesMax: 1_000_000 })
    const asked = once(server, 'request')
    client.write(`POST / HTTP/1.1\r\nhost: weir\r\ncontent-length: 600000\r\n\r\n${'x'.repeat(300_000)}`)
    ;[request] = await asked
    const terms = { bytesMax: 1_000_000, addressOf: () => 'a', assertBegin }
    const done = receiveBody(request, terms, { budget, pace, timers })
    done.catch(() => {})
    return { done }
  }

  it('[B1] is refused by its beginning, before the rest has come, and nothing of it stays', async () => {
    const { done } = await beginLarge(() => {
      throw new GatewayError('malformedRequest', { message: 'no' })
    })
    await expect(done).rejects.toMatchObject({ errorName: 'malformedRequest', message: 'no' })
    expect(budget.byteCount).toBe(0)
    expect(request.complete).toBe(false)
    expect(request.listenerCount('data')).toBe(0)
  })

  it('is judged by its beginning once, and complete all the same', async () => {
    const lengths: number[] = []
    const { done } = await beginLarge(({ length }) => lengths.push(length))
    client.write('y'.repeat(300_000))
    const { bytes } = await done
    expect(bytes.equals(Buffer.from('x'.repeat(300_000) + 'y'.repeat(300_000)))).toBe(true)
    expect(lengths).toHaveLength(1)
    expect(lengths[0]).toBeGreaterThanOrEqual(262_144)
    expect(lengths[0]).toBeLessThan(600_000)
  })

  it('is the mistake of a client that leaves in the middle of it', async () => {
    const { done } = await begin(2_000)
    await sendMore(1_000, 0)
    client.resetAndDestroy()
    await expect(done).rejects.toMatchObject({ errorName: 'malformedRequest' })
    expect(budget.byteCount).toBe(0)
  })
})
