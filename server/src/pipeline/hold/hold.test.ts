import { describe, expect, it } from 'vitest'
import type { OrganizationTerms, Principal } from '#domain/access/principal.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import { nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { HoldRequest, HoldVerdict } from '#ports/money.ts'
import type { BreakerTrip } from '#ports/organization-rules.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Plan } from '../types.ts'
import { createHold } from './hold.ts'

// Half a minute and half a second into a minute, 09:21:30.5 UTC.
const nowMs = Date.UTC(2026, 4, 4, 9, 21, 30, 500)

interface Change {
  verdict?: HoldVerdict
  plan?: Partial<Plan>
  principal?: Partial<Principal>
  requestId?: string
  creditsUrl?: string
}

/** The stage over a store with a scripted verdict. */
function startHold({ verdict, plan = {}, principal = {}, requestId = 'req-1', creditsUrl }: Change) {
  const requests: HoldRequest[] = []
  const kept: Uuid[] = []
  const trips: BreakerTrip[] = []
  const ticket = testTicket(plan)
  const hold = createHold({
    money: {
      hold: async (request) => {
        requests.push(request)
        return verdict ?? { allowed: true, granted: request.amount, room: zeroUsd }
      },
      extend: async () => null,
      renew: async () => {},
      settle: async ({ record }) => ({ cost: record.cost, absorbed: zeroUsd }),
    },
    leases: { keep: (id) => kept.push(id), release: () => {}, open: 0, stop: () => {} },
    trips: { report: (trip) => trips.push(trip) },
    creditsUrl: creditsUrl ?? null,
  })
  const payer = makePrincipal(principal)
  const replyHeaders = requestId === '' ? {} : { 'x-request-id': requestId }
  const arrival = { ...ticket.arrival, receivedAtMs: nowMs, replyHeaders }
  const input = { arrival, principal: payer, plan: ticket.plan, replyHeaders: { 'x-a': 'b' } }
  const run = async () => hold(input)
  const refusal = () => run().then(() => expect.fail('the request was held'), asGatewayError)
  return { run, refusal, requests, kept, trips, arrival, payer, plan: ticket.plan }
}

const short = (scope: string, room: bigint): HoldVerdict => ({ allowed: false, scope, room: nanoUsd(room) })

function terms(change: Partial<OrganizationTerms>): OrganizationTerms {
  return {
    billing: 'prepaid',
    overdueInvoice: null,
    budgets: { organizationWeek: null, organizationMonth: null, teamMonth: null, memberMonth: null },
    breakers: { organization: null, team: null, member: null },
    allowedModels: [],
    ...change,
  }
}

describe('a hold that is granted', () => {
  it('asks for the amount over the wallet and every limit, and keeps its lease', async () => {
    const world = startHold({ principal: { keyCap: { limit: parseUsd('5'), period: 'day' } } })
    const ticket = await world.run()
    const window = {
      kind: 'key_day',
      ownerId: world.payer.keyId,
      startsAtMs: Date.UTC(2026, 4, 4),
      limit: 5_000_000_000n,
    }
    expect(world.requests).toEqual([
      {
        id: world.arrival.generationId,
        walletId: world.payer.walletId,
        keyId: world.payer.keyId,
        amount: 2_058_000n,
        estimate: 2_058_000n,
        windows: [window],
      },
    ])
    expect(world.kept).toEqual([world.arrival.generationId])
    expect(ticket).toEqual({
      arrival: world.arrival,
      principal: world.payer,
      plan: world.plan,
      windows: [window],
      replyHeaders: { 'x-a': 'b' },
      heldAmount: 2_058_000n,
      heldTokens: 1_024,
      payable: 2_058_000n,
      attempts: [],
      skipped: [],
      firstTokenAtMs: null,
      settlement: null,
    })
    expect(world.trips).toEqual([])
  })

  it('takes what the store granted where the client set a cap, and no room beside it', async () => {
    const granted = nanoUsd(3_000_000n)
    const ticket = await startHold({ verdict: { allowed: true, granted, room: nanoUsd(9n) } }).run()
    expect(ticket).toMatchObject({ heldAmount: 3_000_000n, heldTokens: 1_024, payable: 3_000_000n })
  })

  it.each([
    ['grows while streaming: the room beside it can be paid for as well', null, 2_058_000n, 500, 2_059_000n],
    ['takes all it may at once where nobody can watch', 5_000_000n, 2_058_000n, 500, 2_058_000n],
    ['covers more tokens where more was granted', null, 4_010_000n, 2_000, 4_011_000n],
  ])('%s', async (_name, comfort, granted, heldTokens, payable) => {
    const growth = { wish: nanoUsd(7_000_000n), comfort: comfort === null ? null : nanoUsd(comfort) }
    const world = startHold({
      plan: { growth, heldTokens: 500 },
      verdict: { allowed: true, granted: nanoUsd(granted), room: nanoUsd(1_000n) },
    })
    expect(await world.run()).toMatchObject({ heldAmount: granted, heldTokens, payable })
    expect(world.requests).toMatchObject([{ growth: { wish: 7_000_000n, comfort } }])
  })

  it('never covers fewer tokens than the plan says', async () => {
    const growth = { wish: nanoUsd(7_000_000n), comfort: null }
    const verdict = { allowed: true, granted: nanoUsd(2_060_000n), room: zeroUsd } as const
    expect(await startHold({ plan: { growth, heldTokens: 9_000 }, verdict }).run()).toMatchObject({ heldTokens: 9_000 })
  })

  it('asks for a billion dollars at the most, whatever the plan says', async () => {
    const billion = 1_000_000_000_000_000_000n
    for (const [planned, asked] of [
      [billion - 1n, billion - 1n],
      [billion, billion],
      [billion * 7n, billion],
    ] as const) {
      const amount = nanoUsd(planned)
      const world = startHold({ plan: { amount, estimate: amount, growth: { wish: amount, comfort: amount } } })
      await world.run()
      expect(world.requests).toMatchObject([
        { amount: asked, estimate: asked, growth: { wish: asked, comfort: asked } },
      ])
    }
  })

  it('is not needed where nothing is billed: no store is asked, no lease kept, no limit counted', async () => {
    const world = startHold({
      plan: { isBilled: false },
      principal: { keyCap: { limit: parseUsd('5'), period: 'day' } },
    })
    expect(await world.run()).toMatchObject({ windows: [], heldAmount: 0n, payable: 0n, heldTokens: 1_024 })
    expect([world.requests, world.kept]).toEqual([[], []])
  })
})

describe('a hold that is refused', () => {
  it('says what is available and what it affords', async () => {
    const world = startHold({ verdict: short('wallet', 1_000_000n) })
    expect(await world.refusal()).toMatchObject({
      errorName: 'insufficientCredits',
      message:
        'Insufficient credits. This request needs to reserve $0.002058, but only $0.001 is available, enough for 495 output tokens. Top up, or lower max_tokens.',
    })
    expect([world.kept, world.trips]).toEqual([[], []])
  })

  it('leads to the page where credit is bought, where there is one', async () => {
    const world = startHold({ verdict: short('wallet', 1_000_000n), creditsUrl: 'https://weir.test/console/credits' })
    expect((await world.refusal()).message).toContain(
      ' Top up at https://weir.test/console/credits, or lower max_tokens.',
    )
  })

  it('leads to the page of the organization that pays', async () => {
    const world = startHold({
      verdict: short('wallet', 1_000_000n),
      principal: { organizationId: 'an-organization' },
      creditsUrl: 'https://weir.test/console/credits',
    })
    expect((await world.refusal()).message).toContain(
      ' Top up at https://weir.test/console/credits?organization=an-organization, or lower max_tokens.',
    )
  })

  it('counts what is affordable for each choice', async () => {
    const { call } = testTicket().plan
    const world = startHold({ verdict: short('wallet', 1_000_000n), plan: { call: { ...call, choiceCount: 2 } } })
    expect((await world.refusal()).message).toContain(', enough for 247 output tokens. ')
  })

  it('speaks of no tokens where media are made', async () => {
    const { call } = testTicket().plan
    const task: MediaTask = { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} }
    const world = startHold({
      verdict: short('wallet', 1_000_000n),
      plan: { call: { ...call, media: { task, worst: noUsage } } },
    })
    expect((await world.refusal()).message).toBe(
      'Insufficient credits. This request needs to reserve $0.002058, but only $0.001 is available. Top up.',
    )
  })

  it('[MONEY-07] names the credit line of an organization that is billed monthly', async () => {
    const world = startHold({
      verdict: short('wallet', 0n),
      principal: { organization: terms({ billing: 'monthly' }) },
    })
    expect(await world.refusal()).toMatchObject({
      errorName: 'creditLimitExceeded',
      message:
        "The organization's credit line is insufficient. This request needs to reserve $0.002058, but only $0 is available, enough for 0 output tokens. Pay the open invoice, lower max_tokens or ask for a higher credit line.",
    })
  })

  it('[P18] refuses an organization whose invoice is overdue, names it, and holds nothing', async () => {
    const organization = terms({ billing: 'monthly', overdueInvoice: 'WEIR-2026-000007' })
    const world = startHold({ verdict: short('wallet', 0n), principal: { organization } })
    expect(await world.refusal()).toMatchObject({
      errorName: 'creditLimitExceeded',
      message: expect.stringContaining(
        "The organization's invoice WEIR-2026-000007 is overdue. Its credit line is closed until the invoice is paid.",
      ),
    })
    expect(world.requests).toEqual([])
  })

  it('names insufficient credits for a prepaid organization', async () => {
    const world = startHold({ verdict: short('wallet', 0n), principal: { organization: terms({}) } })
    expect((await world.refusal()).errorName).toBe('insufficientCredits')
  })

  it.each([
    ['key_life', 'spendLimitExceeded', "The key's spend limit has been reached. ", undefined],
    ['key_day', 'spendLimitExceeded', "The key's daily spend limit has been reached. ", undefined],
    ['team_month', 'budgetCapReached', "The team's monthly budget has been reached. ", undefined],
    [
      'user_minute',
      'spendBreakerTripped',
      'The spend breaker (user scope, minute window) has been reached. ',
      // Until the next full minute.
      30,
    ],
    [
      'member_hour',
      'spendBreakerTripped',
      'The spend breaker (member scope, hour window) has been reached. ',
      // Until ten o'clock.
      2_310,
    ],
  ])('names the limit %s', async (scope, errorName, opening, retryAfterS) => {
    const error = await startHold({ verdict: short(scope, 12_000n) }).refusal()
    expect(error.errorName).toBe(errorName)
    expect(error.message).toBe(
      `${opening}This request needs to reserve $0.002058, but only $0.000012 is left, enough for 1 output tokens.`,
    )
    expect(error.retryAfterS).toBe(retryAfterS)
  })
})

describe('[AUDIT-01] a breaker that trips', () => {
  const organizationId = makePrincipal().keyId
  const memberId = makePrincipal().keyId
  const limits = { minute: parseUsd('5'), hour: parseUsd('5') }
  const organization = terms({
    breakers: { organization: limits, team: null, member: limits },
    budgets: { organizationWeek: parseUsd('7'), organizationMonth: null, teamMonth: null, memberMonth: null },
  })
  const member = { organizationId, memberId, organization }

  it.each([
    ['member_minute', memberId],
    ['organization_hour', organizationId],
  ])('of an organization is reported: %s', async (kind, ownerId) => {
    const world = startHold({ verdict: short(kind, 0n), principal: member })
    await world.refusal()
    expect(world.trips).toEqual([{ kind, ownerId, organizationId, limit: 5_000_000_000n, requestId: 'req-1' }])
  })

  it('is reported without a request id where there is none', async () => {
    const world = startHold({ verdict: short('member_minute', 0n), principal: member, requestId: '' })
    await world.refusal()
    expect(world.trips).toMatchObject([{ requestId: null }])
  })

  it.each([
    ['a budget is not a breaker', 'organization_week', member],
    ['the wallet is no breaker', 'wallet', member],
    ['a window that was not asked about', 'team_minute', member],
    ["a person's own breaker concerns nobody else", 'user_minute', { ...member, breaker: limits }],
    ["a person's own breaker without an organization", 'user_minute', { breaker: limits }],
  ])('is not reported: %s', async (_name, kind, principal) => {
    const world = startHold({ verdict: short(kind, 0n), principal })
    expect((await world.refusal()).errorName).not.toBe('internal')
    expect(world.trips).toEqual([])
  })
})

describe("an organization's own key", () => {
  const { candidates } = testTicket().plan
  const own = candidates.map((candidate) => ({
    ...candidate,
    billing: 'own_key' as const,
    account: { ...candidate.account, vendor: 'anthropic' },
  }))
  const explanation = {
    candidates: [
      { model: 'acme/model', provider: 'openai' },
      { model: 'acme/model', provider: 'openai' },
    ],
    excluded: [{ model: 'acme/model', provider: 'azure', rule: 'no_price' as const }],
    autoTier: null,
  }

  it('serves a request without a hold if it must hold more than its maximum cost', async () => {
    const plan = { explanation, maxCost: nanoUsd(2_057_999n) }
    const world = startHold({ plan: { ...plan, candidates: [...candidates, ...own] } })
    const ticket = await world.run()
    expect(world.requests).toEqual([])
    expect(ticket).toMatchObject({ heldAmount: 0n, plan: { candidates: own, amount: 0n, isBilled: false } })
    expect((await startHold({ plan }).refusal()).errorName).toBe('maxCostTooLow')
    const enough = startHold({ plan: { ...plan, maxCost: nanoUsd(2_058_000n) } })
    expect(await enough.run()).toMatchObject({ heldAmount: 2_058_000n })
  })

  it('serves without a hold what can not be paid for, and the explanation says so', async () => {
    const growth = { wish: nanoUsd(1n), comfort: null }
    const world = startHold({
      verdict: short('wallet', 0n),
      plan: { candidates: [...candidates, ...own], explanation, growth },
    })
    const ticket = await world.run()
    const { growth: _growth, ...rest } = world.plan
    expect(ticket.plan).toEqual({
      ...rest,
      candidates: own,
      amount: 0n,
      estimate: 0n,
      isOpenEnded: false,
      isBilled: false,
      explanation: {
        candidates: [{ model: 'acme/model', provider: 'anthropic' }],
        excluded: [
          { model: 'acme/model', provider: 'azure', rule: 'no_price' },
          { model: 'acme/model', provider: 'openai', rule: 'no_credit' },
        ],
        autoTier: null,
      },
    })
    expect(ticket).toMatchObject({ windows: [], heldAmount: 0n, payable: 0n, heldTokens: 1_024 })
    expect(world.kept).toEqual([])
  })
})

describe('a hold of a customer token that is refused', () => {
  const customerToken = { id: 'token' } as unknown as NonNullable<Principal['customerToken']>
  const general = "This token's owner has too little credit, or has reached a spend limit."
  const ofToken = (change: Change) => startHold({ ...change, principal: { ...change.principal, customerToken } })

  it.each([
    ['insufficientCredits', 'wallet', {}],
    ['spendLimitExceeded', 'key_day', {}],
    ['budgetCapReached', 'organization_month', {}],
    ['creditLimitExceeded', 'wallet', { organization: terms({ billing: 'monthly' }) }],
    ['creditLimitExceeded', 'invoice', { organization: terms({ overdueInvoice: 'INV-7' }) }],
  ] as const)('[NEXT-20] tells nothing of the money of the owner (%s, %s)', async (errorName, boundBy, principal) => {
    const world = ofToken({ verdict: short(boundBy, 5n), principal, creditsUrl: 'https://weir.example/credits' })
    const { inside, ...error } = await world.refusal()
    expect({ ...error, message: (await world.refusal()).message }).toMatchObject({
      errorName,
      boundBy,
      message: general,
    })
    expect(inside).toMatch(/0\.000000005|INV-7/)
  })

  it.each([
    ['customer_day', "customer's daily limit"],
    ['customer_balance', "customer's prepaid balance"],
    ['token_life', "customer token's limit"],
  ])('[NEXT-18] tells of its own limits: %s', async (scope, title) => {
    const { message } = await ofToken({ verdict: short(scope, 5n) }).refusal()
    expect(message).toContain(title)
    expect(message).toContain('$0.000000005')
  })

  it('[NEXT-92] tells of the maximum cost of the request', async () => {
    const error = await ofToken({ plan: { maxCost: nanoUsd(1n) } }).refusal()
    expect([error.errorName, error.message]).toEqual(['maxCostTooLow', expect.stringContaining('$0.000000001')])
  })
})
