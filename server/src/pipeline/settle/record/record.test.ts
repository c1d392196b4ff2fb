import { describe, expect, it } from 'vitest'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { newUuid } from '#lib/uuid.ts'
import { keptAnswer } from '#test/streams/kept-answer.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Outcome, Ticket } from '../../types.ts'
import { modelOf, recordOf } from './record.ts'

const nowMs = 1_800_000_000_000
const usage = { ...noUsage, uncachedInput: 5, textOutput: 7 }
const attempt: Attempt = { model: 'acme/model', provider: 'openai', outcome: 'answered', status: 200, durationMs: 9 }

function ticketOf(change: Partial<Ticket> = {}): Ticket {
  const ticket = testTicket()
  return { ...ticket, arrival: { ...ticket.arrival, receivedAtMs: nowMs, appName: 'app' }, ...change }
}

function candidateOf({ plan }: Ticket, change: Partial<Candidate> = {}): Candidate {
  const [candidate] = plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { ...candidate, ...change }
}

function answered(candidate: Candidate, change: Partial<Judged> = {}): Judged {
  const answer = { usage, finishReason: 'stop', nativeFinishReason: 'end_turn' }
  return {
    outcome: { kind: 'answered', candidate, status: 200, answer, cancelled: false },
    charge: { cost: nanoUsd(19_000n), cacheDiscount: nanoUsd(4n) },
    refundReason: null,
    absorbed: zeroUsd,
    usageDoubted: false,
    ...change,
  }
}

const unserved: Outcome = {
  kind: 'refunded',
  reason: 'upstream_failed',
  candidate: null,
  status: null,
  answer: null,
  cancelled: true,
  error: null,
}

const refund: Judged = {
  outcome: unserved,
  charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
  refundReason: 'upstream_failed',
  absorbed: zeroUsd,
  usageDoubted: false,
}

describe('the record of a request', () => {
  it('says who called, who answered, how long it took and what it cost', () => {
    const [organizationId, memberId, teamId, sessionId] = [newUuid(1), newUuid(2), newUuid(3), newUuid(4)]
    const institutionSession = {
      id: sessionId,
      personId: 'person',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: false,
    }
    const principal = makePrincipal({ organizationId, memberId, teamId, institutionSession })
    const ticket = ticketOf({ principal, firstTokenAtMs: nowMs + 40, attempts: [attempt] })
    const judged = answered(candidateOf(ticket), { absorbed: nanoUsd(3n), usageDoubted: true })
    expect(recordOf(ticket, judged, nowMs + 90)).toEqual({
      id: ticket.arrival.generationId,
      walletId: principal.walletId,
      keyId: principal.keyId,
      userId: principal.userId,
      organizationId,
      memberId,
      teamId,
      sessionId,
      appName: 'app',
      endpoint: 'chat',
      model: 'acme/model',
      provider: 'openai',
      upstreamModel: 'model',
      upstreamStatus: 200,
      finishReason: 'stop',
      nativeFinishReason: 'end_turn',
      streamed: true,
      cancelled: false,
      isByok: false,
      isFailover: false,
      startedAtMs: nowMs,
      firstTokenMs: 40,
      durationMs: 90,
      usage,
      held: 2_058_000n,
      cost: 19_000n,
      absorbed: 3n,
      usageDoubted: true,
      cacheDiscount: 4n,
      priceId: 'price-1',
      refundReason: null,
      attempts: [attempt],
      routing: null,
    })
  })

  it('of a request that nobody served names the model that came first, and no provider or price', () => {
    const ticket = ticketOf()
    expect(recordOf(ticket, refund, nowMs - 5)).toMatchObject({
      sessionId: null,
      model: 'acme/model',
      provider: null,
      upstreamModel: null,
      upstreamStatus: null,
      finishReason: null,
      nativeFinishReason: null,
      cancelled: true,
      isByok: false,
      isFailover: false,
      firstTokenMs: null,
      // A clock that was set back gives no negative duration.
      durationMs: 0,
      usage: noUsage,
      cost: 0n,
      priceId: null,
      refundReason: 'upstream_failed',
    })
  })

  it.each([
    ['something was charged', 1n, 0n, 'price-1'],
    ['all of it was absorbed', 0n, 1n, 'price-1'],
    ['nothing was asked for', 0n, 0n, null],
  ])('names the price where %s', (_name, cost, absorbed, priceId) => {
    const ticket = ticketOf()
    const charge = { cost: nanoUsd(cost), cacheDiscount: zeroUsd }
    const judged = answered(candidateOf(ticket), { charge, absorbed: nanoUsd(absorbed) })
    expect(recordOf(ticket, judged, nowMs).priceId).toBe(priceId)
  })

  it('says that the own key of an organization answered', () => {
    const ticket = ticketOf()
    expect(recordOf(ticket, answered(candidateOf(ticket, { billing: 'own_key' })), nowMs).isByok).toBe(true)
  })

  it.each<[string, Partial<Candidate>, Partial<Judged>, bigint | undefined]>([
    ['the charge', {}, {}, undefined],
    ['half of the charge', { purchase: { discountPpm: 500_000 } }, {}, 9_500n],
    ['the cost of a refunded answer', {}, { refundReason: 'client_cancelled', charge: refund.charge }, 19_000n],
  ])('says what the provider bills the operator: %s', (_name, terms, change, expected) => {
    const ticket = ticketOf()
    const price = { id: 'price-1', base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002' }), tiers: [] }
    const record = recordOf(ticket, answered(candidateOf(ticket, { price, ...terms }), change), nowMs)
    expect(record.providerCost).toBe(expected)
  })

  it('[NEXT-120] names the user that the body names', () => {
    const { arrival, plan, ...ticket } = ticketOf()
    const body = { user: 'ada', metadata: { user_id: 'bob' } }
    const named = { ...ticket, arrival, plan: { ...plan, call: { ...plan.call, body } } }
    expect(recordOf(named, refund, nowMs).endUser).toBe('ada')
    const messages = { ...named, arrival: { ...arrival, dialect: messagesDialect } }
    expect(recordOf(messages, refund, nowMs).endUser).toBe('bob')
    expect(recordOf(ticketOf(), refund, nowMs)).not.toHaveProperty('endUser')
  })

  it('names the request whose kept answer it got, and the price in percent', () => {
    const { arrival, ...ticket } = ticketOf()
    const cached = keptAnswer('earlier')
    const hit = { ...ticket, arrival: { ...arrival, cached } }
    const priced = answered(candidateOf(hit, { hitPricePercent: 25 }))
    expect(recordOf(hit, priced, nowMs).cached).toEqual({ from: 'earlier', percent: 25 })
    expect(recordOf(hit, answered(candidateOf(hit)), nowMs).cached).toEqual({ from: 'earlier', percent: 0 })
    expect(recordOf(hit, refund, nowMs).cached).toEqual({ from: 'earlier', percent: 0 })
    expect(recordOf(ticketOf(), refund, nowMs)).not.toHaveProperty('cached')
  })

  it('keeps the answer of an upstream whose request was refunded', () => {
    const ticket = ticketOf()
    const answer = { usage, finishReason: 'length', nativeFinishReason: null }
    const judged: Judged = { ...refund, outcome: { ...unserved, candidate: candidateOf(ticket), status: 200, answer } }
    expect(recordOf(ticket, judged, nowMs)).toMatchObject({ usage, finishReason: 'length', provider: 'openai' })
  })
})

describe('a failover', () => {
  it.each<[string, { vendor?: string; model?: string; billing?: Candidate['billing'] }, Partial<Candidate>, boolean]>([
    ['the same host and model', {}, {}, false],
    ['another host', { vendor: 'azure' }, {}, true],
    ['another model', { model: 'acme/other' }, {}, true],
    ["an organization's own key before the platform's", { billing: 'own_key' }, {}, true],
    ["the platform's before an organization's own key", {}, { billing: 'own_key' }, true],
    ['the same own key', { billing: 'own_key' }, { billing: 'own_key' }, false],
    ['a free quota before the paid price', { billing: 'free' }, {}, false],
  ])('D1: %s comes first in the plan', (_name, change, answering, isFailover) => {
    const ticket = ticketOf()
    const own = candidateOf(ticket)
    const { vendor = own.account.vendor, model = own.model.id, billing = own.billing } = change
    const first = { ...own, billing, account: { ...own.account, vendor }, model: { ...own.model, id: model } }
    const planned = { ...ticket, plan: { ...ticket.plan, candidates: [first, own] } }
    expect(recordOf(planned, answered({ ...own, ...answering }), nowMs).isFailover).toBe(isFailover)
    const refunded: Judged = { ...refund, outcome: { ...unserved, candidate: null } }
    expect(recordOf(planned, refunded, nowMs).isFailover).toBe(false)
  })
})

describe('the routing of a record', () => {
  const place = { model: 'acme/model', provider: 'openai' }
  const excluded = { model: 'acme/model', provider: 'azure', rule: 'no_price' } as const
  const skipped = { model: 'acme/model', provider: 'groq', rule: 'unfit' } as const

  it.each([
    ['one candidate and nothing else', { candidates: [place] }, [], null],
    ['two candidates', { candidates: [place, place] }, [], []],
    ['one that was excluded', { candidates: [place], excluded: [excluded] }, [], [excluded]],
    ['one that was skipped', { candidates: [place] }, [skipped], [skipped]],
    ['both', { candidates: [place], excluded: [excluded] }, [skipped], [excluded, skipped]],
    ['a tier that was chosen', { candidates: [place], autoTier: 'fast' }, [], []],
  ])('with %s', (_name, change, skippedOnes, left) => {
    const explanation = { excluded: [], autoTier: null, ...change }
    const ticket = { ...ticketOf(), plan: testTicket({ explanation }).plan, skipped: skippedOnes }
    const { routing } = recordOf(ticket, refund, nowMs)
    expect(routing).toEqual(left === null ? null : { ...explanation, excluded: left })
  })
})

describe('the model of a request', () => {
  it('is that of the host that served, or else the one that came first', () => {
    const ticket = ticketOf()
    const { model } = candidateOf(ticket)
    expect(modelOf(ticket, candidateOf(ticket, { model: { ...model, id: 'acme/other' } })).id).toBe('acme/other')
    expect(modelOf(ticket, null).id).toBe('acme/model')
  })

  it('must be known: a plan without candidates is our own mistake', () => {
    const ticket = { ...ticketOf(), plan: testTicket({ candidates: [] }).plan }
    expect(() => modelOf(ticket, null)).toThrow('a plan has a candidate')
  })
})
