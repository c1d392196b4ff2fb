import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { UpstreamHandler } from '#ports/upstream.ts'
import { ExchangeFailedError, wholeExchange } from './whole-exchange.ts'

const request = {
  origin: 'http://upstream.test',
  path: '/',
  headers: {},
  body: '',
  headersTimeoutMs: 1,
  bodyTimeoutMs: 1,
  connectTimeoutMs: 1,
}

function exchange(bytesMax = 8) {
  const controller = new AbortController()
  let handler: UpstreamHandler | null = null
  let aborts = 0
  const abort = () => {
    aborts += 1
  }
  const upstreams = {
    open: (_request: unknown, given: UpstreamHandler) => {
      handler = given
      return { pause: () => {}, resume: () => {}, abort }
    },
  }
  const promise = wholeExchange(upstreams, request, { bytesMax, signal: controller.signal })
  assert(handler !== null, 'the exchange was opened')
  const upstream: UpstreamHandler = handler
  return { promise, upstream, controller, aborts: () => aborts }
}

it('gives status, head and all bytes', async () => {
  const { promise, upstream, aborts } = exchange()
  upstream.headers(201, { 'x-a': 'b' })
  upstream.data(Buffer.from('four'))
  upstream.data(Buffer.from('more'))
  upstream.end()
  expect(await promise).toEqual({ status: 201, headers: { 'x-a': 'b' }, body: Buffer.from('fourmore') })
  expect(aborts()).toBe(0)
})

it('has the status 0 where not even a head came', async () => {
  const { promise, upstream } = exchange()
  upstream.end()
  expect(await promise).toEqual({ status: 0, headers: {}, body: Buffer.alloc(0) })
})

it('ends where an answer is too large, and closes the connection', async () => {
  const { promise, upstream, aborts } = exchange()
  upstream.headers(200, {})
  upstream.data(Buffer.from('nine byte'))
  const error = await promise.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ExchangeFailedError)
  expect(error).toMatchObject({
    message: 'The upstream response is too large.',
    failure: { kind: 'oversize', message: 'The upstream response is too large.' },
  })
  expect(aborts()).toBe(1)
})

it('gives the failure of the exchange', async () => {
  const { promise, upstream } = exchange()
  upstream.failed({ kind: 'timeout', message: 'too slow' })
  await expect(promise).rejects.toMatchObject({ failure: { kind: 'timeout', message: 'too slow' } })
})

it('closes the connection when it is abandoned, with the reason', async () => {
  const { promise, controller, aborts } = exchange()
  controller.abort('gone')
  await expect(promise).rejects.toBe('gone')
  expect(aborts()).toBe(1)
})

it('lets go of the signal when it is over', async () => {
  const { promise, upstream, controller, aborts } = exchange()
  upstream.end()
  await promise
  controller.abort()
  expect(aborts()).toBe(0)
})
