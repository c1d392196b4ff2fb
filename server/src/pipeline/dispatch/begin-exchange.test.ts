import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { UpstreamHandler } from '#ports/upstream.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createBeginExchange, type ExchangeDeps, type PreparedRequest } from './begin-exchange.ts'

const ticket = testTicket()
const [candidate] = ticket.plan.candidates
assert(candidate !== undefined, 'the test ticket has a candidate')
const by = candidate
const limits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, connectTimeoutMs: 1_000 }
const request = { origin: 'http://upstream.test', path: '/', headers: {}, body: '', ...limits }
const prepared: PreparedRequest = { request, ignored: ['seed'] }
const refusal: UpstreamRefusal = {
  action: 'give-up',
  errorName: 'contentModeration',
  message: 'no',
  inside: 'no',
  retryAfterMs: null,
  status: 400,
}

/** Starts an attempt whose upstream makes the given handler calls. */
function begin(prepare: ExchangeDeps['prepare'], play: (handler: UpstreamHandler) => void) {
  const seen: unknown[] = []
  const begun = createBeginExchange({
    prepare,
    upstreams: {
      open: (sent, handler) => {
        seen.push(sent)
        queueMicrotask(() => play(handler))
        return { pause: () => {}, resume: () => {}, abort: () => {} }
      },
    },
    makeReader: (of, from, contentType) => {
      seen.push(of === ticket && from === by, contentType)
      throw new Error('the reader was asked for')
    },
    readFailure: (of, from) => (status, _headers, text) => {
      seen.push(of === ticket && from === by, status, text)
      return refusal
    },
  })(ticket, by, { onOpened: () => {}, onEnd: () => {}, onOutput: () => {} })
  return { begun, seen }
}

function refuse(handler: UpstreamHandler): void {
  handler.headers(400, { 'content-type': 'application/json' })
  handler.data(Buffer.from('not so'))
  handler.end()
}

it('begins at once what is prepared at once, and reads a refusal as its candidate words it', async () => {
  const { begun, seen } = begin(() => prepared, refuse)
  assert(!(begun instanceof Promise), 'it has begun')
  expect(begun.ignored).toEqual(['seed'])
  expect(await begun.attempt.result).toEqual({ kind: 'refused', refusal })
  expect(seen).toEqual([request, true, 400, 'not so'])
})

it('begins later what is prepared later', async () => {
  const { begun, seen } = begin(async () => prepared, refuse)
  expect(begun).toBeInstanceOf(Promise)
  expect(seen).toEqual([])
  const { attempt, ignored } = await begun
  expect(ignored).toEqual(['seed'])
  expect(await attempt.result).toEqual({ kind: 'refused', refusal })
})

it('gives the reader the type of the answer', async () => {
  const { begun, seen } = begin(
    () => prepared,
    (handler) => {
      expect(() => handler.headers(200, { 'content-type': 'text/event-stream' })).toThrow('the reader was asked for')
    },
  )
  assert(!(begun instanceof Promise), 'it has begun')
  await expect.poll(() => seen).toEqual([request, true, 'text/event-stream'])
})
