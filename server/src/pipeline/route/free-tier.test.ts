import { describe, expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import type { FreeAsk, FreeStanding } from '#domain/limits/free-quota.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Billing, Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { FreeAskOptions, FreeSubject } from '#ports/shared-counts.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Arrival, Plan } from '../types.ts'
import { createFreeTier } from './free-tier.ts'

// Half a minute and half a second before midnight UTC.
const nowMs = Date.UTC(2026, 4, 4, 23, 59, 29, 500)

function candidateOf(id: string, billing: Billing = 'charged'): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { ...candidate, billing, model: { ...candidate.model, id } }
}

interface World {
  candidates: readonly Candidate[]
  /** The store's answers, one array per question. */
  answers?: FreeStanding[][]
  modelName?: string
  promptTokens?: number
  principal?: Partial<Principal>
  arrival?: Partial<Arrival>
}

/** A tier where `acme/one` and `acme/two` are free within 5 requests and 20 units; all other models are paid. */
function startTier(world: World) {
  const asked: { subject: FreeSubject; asks: readonly FreeAsk[]; options: FreeAskOptions }[] = []
  const limits = { enabled: true, requestsPerMinute: 5, unitsPerDay: 20 }
  const tier = createFreeTier({
    freeModels: () => ({
      revision: 1,
      byModel: new Map([
        ['acme/one', limits],
        ['acme/two', limits],
      ]),
    }),
    quotas: {
      ask: async (subject, asks, options) => {
        asked.push({ subject, asks, options })
        return world.answers?.shift() ?? []
      },
    },
    autoUnitsPerAddress: 77,
  })
  const { modelName = 'acme/one', promptTokens = 10 } = world
  const ticket = testTicket({ candidates: world.candidates })
  const call = { ...ticket.plan.call, modelName, promptTokensEstimate: promptTokens }
  const request = {
    arrival: { ...ticket.arrival, receivedAtMs: nowMs, clientIp: '203.0.113.7', ...world.arrival },
    principal: makePrincipal({ balance: zeroUsd, ...world.principal }),
    plan: { ...ticket.plan, call },
  }
  const apply = async () => tier.apply(request)
  const refusal = () => apply().then(() => expect.fail('the request was let through'), asGatewayError)
  return { tier, request, asked, refusal }
}

const billingsOf = ({ candidates }: Plan) => candidates.map(({ model, billing }) => [model.id, billing])
const funded = makePrincipal({}).balance

describe('a request within its free quota', () => {
  it('costs nothing, and is counted for the model that is asked first', async () => {
    const world = startTier({
      candidates: [candidateOf('acme/one'), candidateOf('acme/one'), candidateOf('acme/two')],
      answers: [['taken', 'left']],
    })
    const { plan, headers } = await world.tier.apply(world.request)
    const { walletId, userId } = world.request.principal
    const quota = { units: 1, requestsPerMinute: 5, unitsPerDay: 20 }
    expect(world.asked).toEqual([
      {
        subject: { ownerId: walletId, clientId: userId },
        asks: [
          { name: 'acme/one', ...quota },
          { name: 'acme/two', ...quota },
        ],
        options: { takesFirst: true, nowMs },
      },
    ])
    expect(billingsOf(plan)).toEqual([
      ['acme/one', 'free'],
      ['acme/one', 'free'],
      ['acme/two', 'free'],
    ])
    expect(plan).toMatchObject({ amount: 0n, isBilled: false })
    expect([...(plan.freeAsks?.keys() ?? [])]).toEqual(['acme/two'])
    expect(headers).toEqual({})
  })

  it('asks nothing where no model is free', async () => {
    const world = startTier({ candidates: [candidateOf('acme/paid')] })
    const applied = await world.tier.apply(world.request)
    expect(applied.plan).toBe(world.request.plan)
    expect([applied.headers, world.asked]).toEqual([{}, []])
  })

  it.each(['own_key', 'test'] as const)('is not counted for what others bill: %s', async (billing) => {
    const world = startTier({ candidates: [candidateOf('acme/one', billing)] })
    expect((await world.tier.apply(world.request)).plan).toBe(world.request.plan)
    expect(world.asked).toEqual([])
  })

  it('is counted only when it is asked where an own key comes first', async () => {
    const world = startTier({
      candidates: [candidateOf('acme/one', 'own_key'), candidateOf('acme/one')],
      answers: [['left']],
    })
    const { plan } = await world.tier.apply(world.request)
    expect(world.asked).toMatchObject([{ options: { takesFirst: false } }])
    expect(billingsOf(plan)).toEqual([
      ['acme/one', 'own_key'],
      ['acme/one', 'free'],
    ])
  })

  it('is counted only when it is asked where a paid model comes first', async () => {
    const candidates = [candidateOf('acme/paid'), candidateOf('acme/one')]
    const world = startTier({ candidates, answers: [['left']], principal: { balance: funded } })
    await world.tier.apply(world.request)
    expect(world.asked).toMatchObject([{ options: { takesFirst: false } }])
  })

  it.each([
    [0, 1],
    [8_192, 1],
    [8_193, 2],
    [16_385, 3],
  ])('uses a unit for each 8,192 tokens begun: a prompt of %i uses %i', async (promptTokens, units) => {
    const world = startTier({ candidates: [candidateOf('acme/one')], answers: [['taken']], promptTokens })
    await world.tier.apply(world.request)
    expect(world.asked).toMatchObject([{ asks: [{ units }] }])
  })

  it.each([
    ['credit', { balance: funded }, 60],
    ['a credit line', { organization: monthly() }, 60],
    ['neither', {}, 20],
  ])('has three times the units with credit: %s', async (_name, principal, unitsPerDay) => {
    const world = startTier({ candidates: [candidateOf('acme/one')], answers: [['taken']], principal })
    await world.tier.apply(world.request)
    expect(world.asked).toMatchObject([{ asks: [{ unitsPerDay, requestsPerMinute: 5 }] }])
  })
})

describe('a request over its free quota', () => {
  const candidates = [candidateOf('acme/one')]

  it.each(['daily', 'rpm'] as const)('goes on at the paid price with credit, and says so: %s', async (over) => {
    const world = startTier({ candidates, answers: [[over]], principal: { balance: funded } })
    const { plan, headers } = await world.tier.apply(world.request)
    expect(billingsOf(plan)).toEqual([['acme/one', 'charged']])
    expect(plan).toMatchObject({ amount: 2_058_000n, isBilled: true })
    expect(headers).toEqual({ 'x-weir-free-fallback': over })
  })

  it.each([
    ['there is no credit', {}],
    ['the key says not to', { principal: { balance: funded, freeFallback: false } }],
    ['the request says not to', { principal: { balance: funded }, arrival: { freeFallback: false } }],
    ['the free variant was asked for by its name', { principal: { balance: funded }, modelName: 'acme/one:free' }],
  ])('is refused where %s', async (_name, change) => {
    expect(await startTier({ candidates, answers: [['daily']], ...change }).refusal()).toMatchObject({
      errorName: 'freeQuotaUsed',
      message:
        'The daily quota of this free model is used up. Nothing was charged. Retry in 31 seconds, or use a paid model.',
      retryAfterS: 31,
    })
  })

  it('of the minute is refused until the next one', async () => {
    expect(await startTier({ candidates, answers: [['rpm']] }).refusal()).toMatchObject({
      message:
        'The per-minute limit of this free model has been reached. Nothing was charged. Retry in 31 seconds, or use a paid model.',
      retryAfterS: 31,
    })
  })

  it('is taken for used up where the store says nothing', async () => {
    expect(await startTier({ candidates, answers: [[]] }).refusal()).toMatchObject({ errorName: 'freeQuotaUsed' })
  })

  it('leaves out what it can not have, and the explanation says why', async () => {
    const world = startTier({
      candidates: [candidateOf('acme/one'), candidateOf('acme/two'), candidateOf('acme/paid')],
      answers: [['daily', 'left']],
    })
    const { plan, headers } = await world.tier.apply(world.request)
    expect(billingsOf(plan)).toEqual([['acme/two', 'free']])
    expect(plan.explanation.excluded).toEqual([
      { model: 'acme/one', provider: 'openai', rule: 'free_quota' },
      { model: 'acme/paid', provider: 'openai', rule: 'no_credit' },
    ])
    expect(headers).toEqual({})
  })
})

describe('auto:free', () => {
  const candidates = [candidateOf('acme/one'), candidateOf('acme/two')]

  it('is counted for the address first, with the largest of its units', async () => {
    const answers: FreeStanding[][] = [['taken'], ['taken', 'left']]
    const world = startTier({ candidates, answers, modelName: 'auto:free', promptTokens: 9_000 })
    await world.tier.apply(world.request)
    expect(world.asked).toHaveLength(2)
    expect(world.asked[0]).toEqual({
      subject: { ownerId: '203.0.113.7', clientId: 'address' },
      asks: [{ name: 'auto:free', units: 2, requestsPerMinute: 9_007_199_254_740_991, unitsPerDay: 77 }],
      options: { takesFirst: true, nowMs },
    })
  })

  it('is refused where the address has used up its units, whatever the client has left', async () => {
    const world = startTier({ candidates, answers: [['daily']], modelName: 'auto:free' })
    expect(await world.refusal()).toMatchObject({ errorName: 'freeQuotaUsed', retryAfterS: 31 })
    expect(world.asked).toHaveLength(1)
  })
})

async function fallenBack(answer: FreeStanding[]) {
  const candidates = [candidateOf('acme/one'), candidateOf('acme/two')]
  const world = startTier({ candidates, answers: [['taken', 'left'], answer] })
  const { plan } = await world.tier.apply(world.request)
  return { ...world, request: { ...world.request, plan }, plan }
}

describe('a fallback to a free model', () => {
  it('is counted when it is asked, once', async () => {
    const { tier, request, asked } = await fallenBack(['taken'])
    const second = candidateOf('acme/two', 'free')
    await tier.countFallback(request, second)
    expect(asked[1]).toMatchObject({ asks: [{ name: 'acme/two' }], options: { takesFirst: true, nowMs } })
    expect(tier.countFallback(request, second)).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  it('has nothing to count where it is paid for, was counted, or has no quota', async () => {
    const { tier, request, asked } = await fallenBack([])
    const elsewhere = { ...request, plan: testTicket().plan }
    expect(tier.countFallback(request, candidateOf('acme/two', 'charged'))).toBeUndefined()
    expect(tier.countFallback(request, candidateOf('acme/one', 'free'))).toBeUndefined()
    expect(tier.countFallback(elsewhere, candidateOf('acme/two', 'free'))).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  it.each([[['daily']], [['rpm']], [[]]] as FreeStanding[][][])(
    'is refused where the quota was used up meanwhile: %o',
    async (answer) => {
      const { tier, request, asked } = await fallenBack(answer)
      const second = candidateOf('acme/two', 'free')
      await expect(tier.countFallback(request, second)).rejects.toMatchObject({ errorName: 'freeQuotaUsed' })
      await expect(tier.countFallback(request, second)).rejects.toMatchObject({ errorName: 'freeQuotaUsed' })
      expect(asked).toHaveLength(3)
    },
  )
})

function monthly(): Principal['organization'] {
  return {
    billing: 'monthly',
    overdueInvoice: null,
    budgets: { organizationWeek: null, organizationMonth: null, teamMonth: null, memberMonth: null },
    breakers: { organization: null, team: null, member: null },
    allowedModels: [],
  }
}
