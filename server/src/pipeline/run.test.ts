import { describe, expect, it } from 'vitest'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { run, type Stages } from './run.ts'
import type { Arrival, Outcome, Reply } from './types.ts'

const principal = makePrincipal({})
const base = testTicket()
const reply: Reply = { kind: 'handled' }

/** Stages that record their order and arguments. */
function stagesOf(order: string[], special: Partial<Stages> = {}) {
  const seen: Record<string, unknown> = {}
  const outcomes: Outcome[] = []
  const note = <Answer>(name: string, asked: unknown, answer: Answer): Answer => {
    order.push(name)
    seen[name] = asked
    return answer
  }
  const { call } = base.plan
  const stages = {
    authenticate: async (arrival: unknown) => note('authenticate', arrival, principal),
    receive: async (arrival: Arrival) => arrival.receive(principal),
    parse: (arrival: unknown) => note('parse', arrival, { call, wanted: 'wanted', preferences: 'preferences' }),
    admit: async (who: unknown) => note('admit', who, { 'x-rate': '1' }),
    guard: async (request: unknown) => note('guard', request, { call, wanted: 'guarded' }),
    route: (request: unknown) => note('route', request, 'routed'),
    freeTier: async (request: unknown) => note('freeTier', request, { plan: 'free plan', headers: { 'x-free': '2' } }),
    hold: async (request: unknown) => note('hold', request, base),
    dispatch: async (ticket: unknown) => note('dispatch', ticket, reply),
    settle: async (_ticket: unknown, outcome: Outcome) => note('settle', outcomes.push(outcome), 0n),
    noteRefusal: (...refused: unknown[]) => note('noteRefusal', refused, undefined),
    ...special,
  } as unknown as Stages
  return { stages, seen, outcomes }
}

function arrivalOf(order: string[], isCostlyToReceive: boolean) {
  const receive = async () => {
    order.push('receive')
  }
  return { ...base.arrival, replyHeaders: { 'x-request-id': 'r' }, wantsEvents: true, isCostlyToReceive, receive }
}

describe('the way of a request', () => {
  it('goes through the stages in order, each with what those before have found', async () => {
    const order: string[] = []
    const { stages, seen, outcomes } = stagesOf(order)
    const arrival = arrivalOf(order, false)
    expect(await run(stages, arrival)).toBe(reply)
    expect(order).toEqual([
      'authenticate',
      'receive',
      'parse',
      'admit',
      'guard',
      'route',
      'freeTier',
      'hold',
      'dispatch',
    ])
    const { walletId, organizationId, keyId } = principal
    const { call } = base.plan
    expect(seen).toEqual({
      authenticate: arrival,
      parse: arrival,
      admit: principal,
      guard: { arrival, principal, call, wanted: 'wanted' },
      route: {
        call,
        wanted: 'guarded',
        preferences: 'preferences',
        wantsEvents: true,
        receivedAtMs: arrival.receivedAtMs,
        walletId,
        organizationId,
        keyId,
      },
      freeTier: { arrival, principal, plan: 'routed' },
      hold: {
        arrival,
        principal,
        plan: 'free plan',
        replyHeaders: { 'x-request-id': 'r', 'x-rate': '1', 'x-free': '2' },
      },
      dispatch: base,
    })
    expect(outcomes).toEqual([])
  })

  it('judges the pace of an upload before it is read, and once', async () => {
    const order: string[] = []
    const { stages, seen } = stagesOf(order)
    await run(stages, arrivalOf(order, true))
    expect(order.slice(0, 5)).toEqual(['authenticate', 'admit', 'receive', 'parse', 'guard'])
    expect(order.filter((name) => name === 'admit')).toHaveLength(1)
    expect(seen.hold).toMatchObject({ replyHeaders: { 'x-rate': '1' } })
  })

  it('reads the customer of a request before it is parsed, and looks the customer up right before the hold', async () => {
    const order: string[] = []
    const arrival = { ...arrivalOf(order, false), attribution: { customer: 'c' }, body: { of: 'a customer' } }
    const read = { arrival: { ...arrival, body: {} }, named: { customer: 'c', tags: [], run: null } }
    const attributed = { ...principal, keyName: 'attributed' }
    const { stages, seen } = stagesOf(order, {
      readAttribution: () => {
        order.push('readAttribution')
        return read
      },
      attribute: async (request) => {
        order.push('attribute')
        expect(request).toEqual({ ...read, principal })
        return attributed
      },
    })
    await run(stages, arrival)
    expect(order).toEqual([
      'authenticate',
      'receive',
      'readAttribution',
      'parse',
      'admit',
      'guard',
      'route',
      'freeTier',
      'attribute',
      'hold',
      'dispatch',
    ])
    expect(seen).toMatchObject({ parse: read.arrival, hold: { arrival: read.arrival, principal: attributed } })
  })

  it('claims the idempotency key before it looks up customer, tags and run, so a replay looks up none', async () => {
    const order: string[] = []
    const arrival = { ...arrivalOf(order, false), attribution: { customer: 'c' }, idempotencyKey: 'k' }
    const named = { customer: 'c', tags: [], run: null }
    const stagesFor = (claim: Stages['claim']) =>
      stagesOf(order, {
        readAttribution: () => ({ arrival, named }),
        claim,
        attribute: () => {
          order.push('attribute')
          return principal
        },
      }).stages
    const claimed = stagesFor(async ({ arrival: asked }) => {
      order.push('claim')
      return { kind: 'claimed', arrival: asked }
    })
    await run(claimed, arrival)
    expect(order.slice(-4)).toEqual(['claim', 'attribute', 'hold', 'dispatch'])
    order.length = 0
    const replayed: Reply = { kind: 'handled' }
    expect(
      await run(
        stagesFor(async () => ({ kind: 'replied', reply: replayed })),
        arrival,
      ),
    ).toBe(replayed)
    expect(order.at(-1)).toBe('freeTier')
  })

  it('[V3] judges the pace of a request that refers to items before they are read, and goes on with what they make of it', async () => {
    const order: string[] = []
    const recalled = { ...base.arrival, body: { input: 'whole' } }
    const recall = async () => {
      order.push('recall')
      return recalled
    }
    const { stages, seen } = stagesOf(order, { recall })
    const body = { input: [{ type: 'item_reference', id: 'msg_1' }] }
    await run(stages, { ...arrivalOf(order, false), dialect: responsesDialect, body })
    expect(order.slice(0, 6)).toEqual(['authenticate', 'receive', 'admit', 'recall', 'parse', 'guard'])
    expect(order.filter((name) => name === 'admit')).toHaveLength(1)
    expect(seen).toMatchObject({ parse: recalled, guard: { arrival: recalled }, hold: { arrival: recalled } })

    order.length = 0
    await run(stages, { ...arrivalOf(order, false), dialect: responsesDialect, body: { input: 'plain' } })
    expect(order).not.toContain('recall')
    order.length = 0
    await run({ ...stages, recall: null }, { ...arrivalOf(order, false), dialect: responsesDialect, body })
    expect(order.slice(0, 4)).toEqual(['authenticate', 'receive', 'parse', 'admit'])
  })

  it('refunds what dispatching broke off by a fault of our own, and tells of the fault', async () => {
    const order: string[] = []
    const fault = new TypeError('a bug')
    const { stages, outcomes } = stagesOf(order, { dispatch: () => Promise.reject(fault) })
    await expect(run(stages, arrivalOf(order, false))).rejects.toBe(fault)
    expect(outcomes).toMatchObject([
      {
        kind: 'refunded',
        reason: 'gateway_fault',
        candidate: null,
        status: null,
        answer: null,
        cancelled: false,
        error: { errorName: 'internal', cause: fault },
      },
    ])
  })

  it('refunds nothing where nothing was held', async () => {
    const order: string[] = []
    const refusal = new GatewayError('insufficientCredits', { message: 'no' })
    const { stages, outcomes } = stagesOf(order, { hold: () => Promise.reject(refusal) })
    await expect(run(stages, arrivalOf(order, false))).rejects.toBe(refusal)
    expect(outcomes).toEqual([])
    expect(order).not.toContain('dispatch')
  })

  it.each([
    ['authenticate', false],
    ['receive', true],
    ['recall', true],
    ['parse', true],
    ['admit', true],
    ['guard', true],
    ['route', true],
    ['freeTier', true],
    ['readAttribution', true],
    ['attribute', true],
    ['hold', true],
  ] as const)('notes a refusal by %s once, with the sender if it is known', async (stage, isKnown) => {
    const order: string[] = []
    const refusal = new GatewayError('forbidden', { message: 'no' })
    const refuse = () => {
      throw refusal
    }
    const { stages, seen } = stagesOf(order, {
      recall: async (one) => one,
      readAttribution: (one) => ({ arrival: one, named: { customer: 'c', tags: [], run: null } }),
      [stage]: refuse,
    })
    const body = { input: [{ type: 'item_reference', id: 'msg_1' }] }
    const attribution = stage === 'readAttribution' || stage === 'attribute' ? { customer: 'c' } : null
    const arrival = { ...arrivalOf(order, false), dialect: responsesDialect, body, attribution }
    await expect(run(stages, arrival)).rejects.toBe(refusal)
    expect(seen.noteRefusal).toEqual([arrival, isKnown ? principal : null, refusal])
    expect(order.filter((name) => name === 'noteRefusal')).toHaveLength(1)
  })

  it('notes no refusal once money is held, because such a request has a record', async () => {
    const order: string[] = []
    const { stages } = stagesOf(order, { dispatch: () => Promise.reject(new TypeError('a bug')) })
    await expect(run(stages, arrivalOf(order, false))).rejects.toThrow('a bug')
    expect(order).not.toContain('noteRefusal')
  })
})
