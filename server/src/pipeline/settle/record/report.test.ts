import { beforeEach, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Ticket } from '../../types.ts'
import { createReport, type ReportDeps } from './report.ts'

const startMs = 1_800_000_000_000
const served = { model: 'acme/model', provider: 'openai', account: 'first' }
const settled = (cost: bigint, absorbed: bigint) => ({ cost: nanoUsd(cost), absorbed: nanoUsd(absorbed) })

describe('the report of a finished request', () => {
  let told: [string, unknown][]
  let logged: Record<string, unknown>[]
  let deps: ReportDeps
  let ticket: Ticket

  beforeEach(() => {
    told = []
    logged = []
    const tellOf = (name: string) => (labels: object, value: number) => void told.push([name, [labels, value]])
    const tell = (name: string) => (value: unknown) => void told.push([name, value])
    deps = {
      log: (event) => logged.push(event),
      alarm: (event, message) => told.push(['alarm', { event, message }]),
      metrics: {
        generations: { inc: tell('generations') },
        charged: { inc: tell('charged') },
        absorbed: { inc: tell('absorbed') },
        usageDoubted: { inc: tell('usageDoubted') },
        undercharged: { inc: tell('undercharged') },
        attempts: { inc: tell('attempts') },
        failovers: { inc: tell('failovers') },
        tokens: { inc: (labels, by) => void told.push([`tokens ${labels.kind}`, by]) },
        firstToken: { observe: tellOf('firstToken') },
        duration: { observe: tellOf('duration') },
      },
      nowMs: () => startMs + 1_500,
    }
    const made = testTicket()
    const replyHeaders = { 'x-request-id': 'req-1' }
    ticket = {
      ...made,
      arrival: { ...made.arrival, receivedAtMs: startMs, replyHeaders },
      firstTokenAtMs: startMs + 40,
    }
  })

  function answered(change: Partial<Judged> = {}): Judged {
    const [candidate] = ticket.plan.candidates
    assert(candidate !== undefined, 'the ticket has a candidate')
    const usage = { ...noUsage, uncachedInput: 5, textOutput: 7 }
    const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
    return {
      outcome: { kind: 'answered', candidate, status: 200, answer, cancelled: false },
      charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
      refundReason: null,
      absorbed: zeroUsd,
      usageDoubted: false,
      ...change,
    }
  }

  function refunded(error: GatewayError | null): Judged {
    const reason = 'upstream_failed' as const
    const outcome = { kind: 'refunded', reason, candidate: null, status: null, answer: null, cancelled: true } as const
    return answered({ outcome: { ...outcome, error }, refundReason: reason })
  }

  it.each<[number, bigint, bigint, boolean]>([
    // The cost that the provider states, the charge and the absorbed amount, in nano-dollars.
    [1_000_000, 500_000n, 0n, true],
    [1_000_000, 500_000n, 500_000n, false],
    [1_000_000, 1_000_000n, 0n, false],
  ])(
    'V14: a stated cost of %s where %s were charged and %s absorbed is counted: %s',
    (stated, cost, absorbed, isTold) => {
      const judged = answered()
      const { outcome } = judged
      assert(outcome.kind === 'answered', 'it was answered')
      const usage = { ...noUsage, textOutput: 7, upstreamNano: stated }
      const billed = { ...judged, outcome: { ...outcome, answer: { ...outcome.answer, usage } } }
      createReport(deps)(ticket, billed, settled(cost, absorbed))
      const count = told.filter(([name]) => name === 'undercharged')
      expect(count).toEqual(isTold ? [['undercharged', { provider: 'openai', account: 'first' }]] : [])
      told.length = 0
      createReport(deps)(ticket, { ...billed, refundReason: 'own_key' }, settled(0n, 0n))
      expect(told.filter(([name]) => name === 'undercharged')).toEqual([])
    },
  )

  it('counts an answer, its charge in dollars and its seconds', () => {
    createReport(deps)(ticket, answered(), settled(19_000n, 0n))
    expect(told).toEqual([
      ['generations', { provider: 'openai', account: 'first', outcome: 'answered' }],
      ['charged', 0.000019],
      ['firstToken', [served, 0.04]],
      ['tokens prompt', 5],
      ['tokens completion', 7],
      ['duration', [served, 1.5]],
    ])
  })

  it('counts every try, and those after which another was made', () => {
    const failed = {
      model: 'acme/model',
      provider: 'groq',
      account: 'main',
      outcome: 'timeout',
      status: null,
      durationMs: 9,
    }
    const own = { ...failed, provider: 'openai', account: 'theirs', ownKey: true as const }
    const last = { ...failed, account: 'spare', outcome: 'answered' }
    createReport(deps)({ ...ticket, attempts: [failed, own, last] }, answered(), settled(0n, 0n))
    expect(told.filter(([name]) => name === 'attempts' || name === 'failovers')).toEqual([
      ['attempts', { provider: 'groq', account: 'main', outcome: 'timeout' }],
      ['failovers', { provider: 'groq', account: 'main', reason: 'timeout' }],
      ['attempts', { provider: 'openai', account: 'own_key', outcome: 'timeout' }],
      ['failovers', { provider: 'openai', account: 'own_key', reason: 'timeout' }],
      ['attempts', { provider: 'groq', account: 'spare', outcome: 'answered' }],
    ])
  })

  it('[NEXT-105] counts the lost attempt of a hedged request as a try, but not as one that failed', () => {
    const lost = {
      model: 'acme/model',
      provider: 'groq',
      account: 'main',
      outcome: 'hedge_lost',
      status: null,
      durationMs: 9,
    }
    const last = { ...lost, account: 'spare', outcome: 'answered' }
    createReport(deps)({ ...ticket, attempts: [lost, last] }, answered(), settled(0n, 0n))
    expect(told.filter(([name]) => name === 'attempts' || name === 'failovers')).toEqual([
      ['attempts', { provider: 'groq', account: 'main', outcome: 'hedge_lost' }],
      ['attempts', { provider: 'groq', account: 'spare', outcome: 'answered' }],
    ])
  })

  it('counts what was absorbed in nano-dollars, and no charge where there is none', () => {
    createReport(deps)(ticket, answered(), settled(0n, 7n))
    expect(told).toEqual([
      ['generations', { provider: 'openai', account: 'first', outcome: 'answered' }],
      ['absorbed', 7],
      ['firstToken', [served, 0.04]],
      ['tokens prompt', 5],
      ['tokens completion', 7],
      ['duration', [served, 1.5]],
    ])
  })

  it('is one wide event', () => {
    createReport(deps)(ticket, answered(), settled(19_000n, 0n))
    expect(logged).toEqual([
      {
        generation: expect.stringMatching(/^gen-/),
        requestId: 'req-1',
        endpoint: 'chat',
        model: 'acme/model',
        provider: 'openai',
        account: 'first',
        keyId: ticket.principal.keyId,
        walletId: ticket.principal.walletId,
        streamed: true,
        cancelled: false,
        upstreamStatus: 200,
        finishReason: 'stop',
        refundReason: null,
        costUsd: '0.000019',
        heldUsd: '0.002058',
        firstTokenMs: 40,
        durationMs: 1_500,
        attempts: [],
        error: null,
        inside: null,
      },
    ])
  })

  it('names what was absorbed where something was', () => {
    createReport(deps)(ticket, answered(), settled(19_000n, 7n))
    expect(logged).toMatchObject([{ absorbedUsd: '0.000000007' }])
  })

  it('of a refund says why, and what failed inside', () => {
    const error = new GatewayError('noUpstream', { message: 'for the client', inside: 'for us' })
    createReport(deps)({ ...ticket, firstTokenAtMs: null }, refunded(error), settled(0n, 0n))
    expect(logged).toMatchObject([
      {
        provider: 'none',
        account: null,
        model: 'acme/model',
        cancelled: true,
        upstreamStatus: null,
        finishReason: null,
        refundReason: 'upstream_failed',
        firstTokenMs: null,
        error: 'noUpstream',
        inside: 'for us',
      },
    ])
    expect(told).toEqual([
      ['generations', { provider: 'none', account: 'none', outcome: 'upstream_failed' }],
      ['duration', [{ model: 'acme/model', provider: 'none', account: 'none' }, 1.5]],
    ])
  })

  it('of a refund without an error names none', () => {
    createReport(deps)(ticket, refunded(null), settled(0n, 0n))
    expect(logged).toMatchObject([{ error: null, inside: null }])
    const silent = new GatewayError('noUpstream', { message: 'for the client' })
    createReport(deps)(ticket, refunded(silent), settled(0n, 0n))
    expect(logged[1]).toMatchObject({ error: 'noUpstream', inside: null })
  })

  it('counts the own keys of organizations under one label', () => {
    const { outcome } = answered()
    assert(outcome.candidate !== null, 'an answer has a candidate')
    const candidate = { ...outcome.candidate, billing: 'own_key' as const }
    createReport(deps)(ticket, answered({ outcome: { ...outcome, candidate } as Judged['outcome'] }), settled(0n, 0n))
    expect(told[0]).toEqual(['generations', { provider: 'openai', account: 'own_key', outcome: 'answered' }])
    expect(logged).toMatchObject([{ account: 'first' }])
  })

  it('is counted, too, where nobody reads the log', () => {
    createReport({ ...deps, log: null })(ticket, answered(), settled(19_000n, 0n))
    expect(told).toHaveLength(6)
  })

  it('raises an alarm over usage that is not believed, with its figures', () => {
    createReport(deps)(ticket, answered({ usageDoubted: true }), settled(1n, 0n))
    expect(told).toContainEqual(['usageDoubted', { provider: 'openai', account: 'first' }])
    const event = {
      generation: expect.stringMatching(/^gen-/),
      model: 'acme/model',
      provider: 'openai',
      account: 'first',
      tokens: { prompt: 5, completion: 7, total: 12 },
      heldUsd: '0.002058',
    }
    const message =
      'an upstream reported more tokens than the request can have used; the gateway charged the hold and the delivered output'
    expect(told).toContainEqual(['alarm', { event, message }])
  })

  it('raises it without figures where there are none', () => {
    createReport(deps)(ticket, { ...refunded(null), usageDoubted: true }, settled(0n, 0n))
    expect(told).toContainEqual([
      'alarm',
      expect.objectContaining({ event: expect.objectContaining({ tokens: null }) }),
    ])
  })
})
