import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UpstreamExchange, UpstreamRequest } from '#ports/upstream.ts'
import { playedOrigin } from '#domain/test-models/played-origin.ts'
import { createPlayedUpstream } from './played-upstream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens an exchange and records the handler calls in order; `react` may pause or abort within a call. */
function open(model: string, limits: Partial<UpstreamRequest> = {}, react?: Reaction) {
  const calls: string[] = []
  let text = ''
  const note = (call: string): void => {
    calls.push(call)
    react?.(call, exchange)
  }
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'hello big world' }] })
  const times = { headersTimeoutMs: 1000, bodyTimeoutMs: 1000, connectTimeoutMs: 1000 }
  const request = { origin: playedOrigin, path: model, headers: {}, body, ...times, ...limits }
  const exchange: UpstreamExchange = createPlayedUpstream().open(request, {
    headers: (status) => note(`headers ${status}`),
    data: (bytes) => {
      text += bytes.toString()
      note('data')
    },
    end: () => note('end'),
    failed: ({ kind }) => note(`failed ${kind}`),
  })
  return { calls, exchange, text: () => text }
}
type Reaction = (call: string, exchange: UpstreamExchange) => void

test('a whole answer is played in order, and never inside open', async () => {
  const { calls, text } = open('test/echo')
  expect(calls).toEqual([])
  await vi.runAllTimersAsync()
  expect(calls[0]).toBe('headers 200')
  expect(calls.filter((call) => call === 'data')).toHaveLength(7)
  expect(calls.at(-1)).toBe('end')
  expect(text()).toMatch(/^data: \{[\s\S]*data: \[DONE\]\n\n$/)
  expect(vi.getTimerCount()).toBe(0)
})

test('a delay is kept', async () => {
  const { calls } = open('test/slow-300')
  await vi.advanceTimersByTimeAsync(299)
  expect(calls).toEqual(['headers 200'])
  await vi.advanceTimersByTimeAsync(2)
  expect(calls).toContain('data')
})

test('no headers within their time is a timeout', async () => {
  const { calls } = open('test/silent', { headersTimeoutMs: 500 })
  await vi.advanceTimersByTimeAsync(499)
  expect(calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toEqual(['failed timeout'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a silence in the body is a timeout, counted from the last bytes', async () => {
  const { calls } = open('test/stall', { bodyTimeoutMs: 700 })
  await vi.advanceTimersByTimeAsync(690)
  expect(calls).toEqual(['headers 200', 'data'])
  await vi.advanceTimersByTimeAsync(20)
  expect(calls).toEqual(['headers 200', 'data', 'failed timeout'])
})

test('a first token that is later than the body timeout is a timeout too', async () => {
  const { calls } = open('test/slow-2000', { bodyTimeoutMs: 700 })
  await vi.advanceTimersByTimeAsync(2100)
  expect(calls).toEqual(['headers 200', 'failed timeout'])
})

test('a timeout of 0 never comes', async () => {
  const { calls, exchange } = open('test/silent', { headersTimeoutMs: 0 })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toEqual([])
  exchange.abort()
})

test('a cut is a broken connection', async () => {
  const { calls, text } = open('test/cut')
  await vi.runAllTimersAsync()
  expect(calls.at(-1)).toBe('failed broken')
  expect(calls).not.toContain('end')
  expect(text()).toContain('Water')
})

test('steps are kept while paused, without a timeout, and follow after resume', async () => {
  let pauses = 0
  const { calls, exchange, text } = open('test/echo', {}, (call, playing) => {
    if (call !== 'data' || pauses > 0) return
    pauses += 1
    playing.pause()
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toEqual(['headers 200', 'data'])
  expect(vi.getTimerCount()).toBe(0)
  exchange.resume()
  expect(calls).toHaveLength(2)
  await vi.runAllTimersAsync()
  expect(calls.at(-1)).toBe('end')
  expect(text().match(/data: /g)).toHaveLength(7)
})

test('pausing and resuming many times plays each step once', async () => {
  const { calls, exchange } = open('test/drip-10')
  for (let round = 0; round < 20; round += 1) {
    exchange.pause()
    exchange.pause()
    await vi.advanceTimersByTimeAsync(3)
    exchange.resume()
    exchange.resume()
    await vi.advanceTimersByTimeAsync(4)
  }
  await vi.runAllTimersAsync()
  const undisturbed = open('test/drip-10')
  await vi.runAllTimersAsync()
  expect(calls).toEqual(undisturbed.calls)
})

test('the body timeout starts again on resume', async () => {
  const { calls, exchange } = open('test/stall')
  await vi.advanceTimersByTimeAsync(900)
  exchange.pause()
  await vi.advanceTimersByTimeAsync(5000)
  exchange.resume()
  await vi.advanceTimersByTimeAsync(990)
  expect(calls).toEqual(['headers 200', 'data'])
  await vi.advanceTimersByTimeAsync(20)
  expect(calls.at(-1)).toBe('failed timeout')
})

test('nothing is called after abort, and no timer stays', async () => {
  for (const model of ['test/echo', 'test/silent', 'test/stall', 'test/slow-100']) {
    const { calls, exchange } = open(model)
    exchange.abort()
    exchange.resume()
    expect(vi.getTimerCount()).toBe(0)
    await vi.runAllTimersAsync()
    expect(calls).toEqual([])
  }
})

test('abort works from inside a call', async () => {
  const { calls } = open('test/echo', {}, (call, exchange) => {
    if (call === 'data') exchange.abort()
  })
  await vi.runAllTimersAsync()
  expect(calls).toEqual(['headers 200', 'data'])
})

test('a body that is not JSON is answered as an empty request', async () => {
  const { calls } = open('test/echo', { body: 'nonsense' })
  await vi.runAllTimersAsync()
  expect(calls).toEqual(['headers 200', 'data', 'end'])
})
