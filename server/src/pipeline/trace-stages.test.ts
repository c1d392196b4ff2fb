import { describe, expect, it } from 'vitest'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { recordedTrace, wordsOf } from '#test/tracing/recorded-trace.ts'
import type { Stages } from './run.ts'
import { traceSettle, traceStages } from './trace-stages.ts'
import type { Outcome, Ticket } from './types.ts'

const refunded: Outcome = {
  kind: 'refunded',
  reason: 'upstream_failed',
  candidate: null,
  status: null,
  answer: null,
  cancelled: false,
  error: new GatewayError('upstreamUnavailable', { message: 'late' }),
}

function traced(): { ticket: Ticket; spans: () => object[]; trace: ReturnType<typeof recordedTrace>['trace'] } {
  const { trace, ended } = recordedTrace()
  const ticket = testTicket()
  return { ticket: { ...ticket, arrival: { ...ticket.arrival, trace } }, spans: () => ended.map(wordsOf), trace }
}

const free: Stages['settle'] = async () => zeroUsd
const stagesOf = (stages: Partial<Stages>): Stages => traceStages({ resume: null, ...stages } as Stages)

describe('a stage that throws', () => {
  it.each([
    ['a refusal', new GatewayError('insufficientCredits', { message: 'no' }), { errorType: 'insufficientCredits' }],
    [
      'a failure',
      new GatewayError('storeUnavailable', { message: 'no' }),
      { errorType: 'storeUnavailable', isError: true },
    ],
    ['what we did not foresee', new TypeError('oh'), { errorType: 'internal', isError: true }],
  ])('%s has a span that names it', async (_name, error, said) => {
    const { ticket, spans } = traced()
    const fail = (): never => {
      throw error
    }
    const stages = stagesOf({ parse: fail, hold: async () => fail(), dispatch: async () => fail() })
    expect(() => stages.parse(ticket.arrival)).toThrow(error)
    await expect(stages.hold({ ...ticket })).rejects.toThrow(error)
    await expect(stages.dispatch(ticket)).rejects.toThrow(error)
    expect(spans()).toEqual(['parse', 'hold', 'dispatch'].map((name) => ({ name, ...said })))
  })
})

describe('the dispatch', () => {
  it('of a job ends with its answer, for a worker settles it later', async () => {
    const { ticket, spans } = traced()
    const reply = { kind: 'document', headers: {}, body: '{}' } as const
    expect(await stagesOf({ dispatch: async () => reply }).dispatch(ticket)).toBe(reply)
    expect(spans()).toEqual([{ name: 'dispatch' }])
  })

  it('of a stream ends with its settle, which has one span however often it is asked for', async () => {
    const { ticket, spans, trace } = traced()
    const cost = nanoUsd(7n)
    const settle = traceSettle((settled) => (settled.settlement ??= Promise.resolve(cost)))
    await stagesOf({ dispatch: async () => ({ kind: 'handled' }) }).dispatch(ticket)
    expect(spans()).toEqual([])
    expect(await settle(ticket, refunded)).toBe(cost)
    expect(await settle(ticket, refunded)).toBe(cost)
    expect(spans()).toEqual([
      { name: 'dispatch', errorType: 'upstreamUnavailable', isError: true },
      { name: 'settle', costNanoUsd: 7n },
    ])
    expect(wordsOf(trace.root)).toMatchObject({ refundReason: 'upstream_failed', errorType: 'upstreamUnavailable' })
  })

  it('whose settle is lost says so', async () => {
    const { ticket, spans } = traced()
    const settle = traceSettle(() => Promise.reject(new Error('neither Postgres nor the spool')))
    await expect(settle(ticket, { ...refunded, error: null, cancelled: true })).rejects.toThrow('neither')
    expect(spans()).toEqual([{ name: 'settle', errorType: 'internal', isError: true }])
  })
})

it('passes a request without a recorded trace to the stages themselves', async () => {
  const ticket = testTicket()
  expect(await traceSettle(free)(ticket, refunded)).toBe(zeroUsd)
  const reply = { kind: 'handled' } as const
  expect(await stagesOf({ dispatch: async () => reply }).dispatch(ticket)).toBe(reply)
})
