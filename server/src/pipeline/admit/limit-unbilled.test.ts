import { hash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { UnbilledChange } from '#ports/shared-counts.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Plan, Ticket } from '../types.ts'
import { createLimitUnbilled, type LimitUnbilled } from './limit-unbilled.ts'
import type { Opening } from './unbilled-accounts.ts'

// Twenty minutes and half a second before midnight UTC.
const nowMs = Date.UTC(2026, 4, 4, 23, 39, 59, 500)
const quiet: UnbilledSums = {
  left: zeroUsd,
  borne: zeroUsd,
  paidToday: zeroUsd,
  paidYesterday: zeroUsd,
  underWay: zeroUsd,
  atRisk: zeroUsd,
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const charge = (cost: bigint, absorbed = 0n) => ({ cost: nanoUsd(cost), absorbed: nanoUsd(absorbed) })

describe('what clients leave unpaid', () => {
  let added: { subject: string; change: UnbilledChange; nowMs: number }[]
  let sums: (subject: string) => Promise<UnbilledSums>
  let left: bigint[]
  let uncounted: bigint
  let risk: bigint
  let judgedCounts: number
  let exceeded: bigint[]
  let errors: unknown[]
  let clockMs: number
  let limit: LimitUnbilled
  let ticket: Ticket
  let wallet: string
  let address: string

  beforeEach(() => {
    added = []
    left = []
    uncounted = 0n
    risk = 0n
    judgedCounts = 0
    exceeded = []
    errors = []
    clockMs = nowMs
    sums = async () => quiet
    const made = testTicket({ heldTokens: 1_025 })
    ticket = { ...made, arrival: { ...made.arrival, clientIp: '203.0.113.7' } }
    wallet = hash('sha256', `wallet ${ticket.principal.walletId}`)
    address = hash('sha256', 'address 203.0.113.7')
    limit = createLimitUnbilled({
      unbilled: {
        add: (subject, change, atMs) => {
          added.push({ subject, change, nowMs: atMs })
          return sums(subject)
        },
      },
      rules: { allowance: nanoUsd(1_000_000n), percent: 10 },
      // Shows the test the output tokens and the number of candidates of each quote.
      priceOf: (candidates, _plan, tokens) => nanoUsd(BigInt(candidates.length * 10_000 + tokens)),
      uncountedOf: () => nanoUsd(uncounted),
      riskOf: (plan) => ({ amount: nanoUsd(risk), covered: () => ({ ...plan, reservesExactly: true }) }),
      noteInexactCount: () => {
        judgedCounts += 1
      },
      reserveMost: (plan) => ({ ...plan, reservesMost: true }),
      onLeft: (worth) => left.push(worth),
      onExceeded: (_ticket, sums) => exceeded.push(sums.left + sums.borne),
      onError: (error) => errors.push(error),
      nowMs: () => clockMs,
    })
  })

  const openingOf = (plan: Partial<Plan> = {}): Opening => ({ ...ticket, plan: { ...ticket.plan, ...plan } })
  const open = (opening = openingOf(), hold: () => Promise<Ticket> = async () => ticket) => limit.before(hold)(opening)
  const candidate = () => {
    const [first] = ticket.plan.candidates
    assert(first !== undefined, 'the ticket has a candidate')
    return first
  }

  const answered = (refundReason: Judged['refundReason'] = null, deliveredTokens = 0): Judged => {
    const answer = { usage: null, finishReason: 'stop', nativeFinishReason: null }
    const common = { candidate: candidate(), status: 200, answer, cancelled: false }
    return {
      outcome:
        refundReason === 'stream_interrupted'
          ? { ...common, kind: 'refunded', reason: refundReason, error: null }
          : { ...common, kind: 'answered', deliveredTokens: () => deliveredTokens },
      charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
      refundReason,
      absorbed: zeroUsd,
      usageDoubted: false,
    }
  }

  it.each([
    ['what is absorbed', null, 0, 0, 33n, 33n],
    ['a stream that its upstream broke off, at the output that was seen', 'stream_interrupted', 300, 0, 0n, 10_300n],
    ['an answer without usage, at what was delivered', 'no_usage', 0, 500, 0n, 10_500n],
    ['a stream with usage of zeros', 'zero_usage', 300, 200, 0n, 10_300n],
    ['nothing for a client who left, which is counted apart', 'client_cancelled', 300, 0, 0n, 0n],
    ['nothing for what is free', 'free_tier', 300, 0, 0n, 0n],
  ] as const)('C4: counts as borne: %s', async (_name, reason, seen, delivered, absorbed, borne) => {
    await open()
    added = []
    limit.noteOutput(ticket, seen)
    limit.noteSettled(ticket, answered(reason, delivered), charge(0n, absorbed))
    limit.release(ticket)
    expect(added.map(({ change }) => change)).toMatchObject([
      { borne, left: 0n },
      { borne, left: 0n },
    ])
  })

  it.each([
    ['within the bound', 1_000_000n, undefined],
    ['beyond it', 1_000_001n, true],
  ])('C4: reserves the most that a model can cost for a wallet %s', async (_name, borne, reservesMost) => {
    sums = async (subject) => (subject === wallet ? { ...quiet, borne: nanoUsd(borne) } : quiet)
    const plans: Plan[] = []
    await limit.before(async ({ plan }: Opening) => {
      plans.push(plan)
      return ticket
    })(openingOf())
    expect(plans.map((plan) => plan.reservesMost)).toEqual([reservesMost])
  })

  const planHeld = async () => {
    const plans: Plan[] = []
    await limit.before(async ({ plan }: Opening) => {
      plans.push(plan)
      return ticket
    })(openingOf())
    return plans[0]
  }

  it('reserves a risk before the hold, and gives it back with the end', async () => {
    risk = 5n
    expect(await planHeld()).not.toHaveProperty('reservesExactly')
    expect(added.map(({ change }) => change.atRisk)).toEqual([5n, 5n])
    added = []
    limit.release(ticket)
    expect(added.map(({ change }) => change.atRisk)).toEqual([-5n, -5n])
  })

  it('covers a risk that does not fit by the hold, and gives it back at once', async () => {
    risk = 5n
    sums = async (subject) => (subject === wallet ? { ...quiet, atRisk: nanoUsd(1_000_001n) } : quiet)
    expect(await planHeld()).toMatchObject({ reservesExactly: true })
    expect(added.map(({ change }) => change.atRisk)).toEqual([5n, 5n, -5n, -5n])
    added = []
    limit.release(ticket)
    expect(added.map(({ change }) => change.atRisk)).toEqual([0n, 0n])
  })

  it('sends nothing more to the store for a hold that is exact', async () => {
    sums = async () => ({ ...quiet, borne: nanoUsd(1_000_001n) })
    await planHeld()
    expect(added).toHaveLength(2)
  })

  it.each([
    ['with $10 of credit on its own', 10_000_000_000n, undefined],
    ['with less also by its address', 9_999_999_999n, true],
  ])('judges a wallet %s', async (_name, balance, reservesExactly) => {
    ticket = { ...ticket, principal: { ...ticket.principal, balance: nanoUsd(balance) } }
    sums = async (subject) => (subject === address ? { ...quiet, atRisk: nanoUsd(1_000_001n) } : quiet)
    expect((await planHeld())?.reservesExactly).toBe(reservesExactly)
  })

  it('counts abandoned input of unknown size as under way, and then as borne', async () => {
    uncounted = 7n
    await open()
    expect(added.map(({ change }) => change.underWay)).toEqual([10_264n, 10_264n])
    added = []
    limit.noteLeft(ticket, candidate())
    limit.noteSettled(ticket, answered('client_cancelled'), charge(0n))
    limit.release(ticket)
    expect(left).toEqual([10_000n])
    expect(added.map(({ change }) => change)).toMatchObject([{ left: 10_000n, borne: 7n }, { borne: 7n }])
  })

  it.each([
    ['is paid in full', answered, 0n, 0],
    ['is absorbed', answered, 1n, 1],
    ['is not believed', () => ({ ...answered(), usageDoubted: true }), 0n, 1],
  ])('has the count of an upstream judged if a charge %s', async (_name, judgedOf, absorbed, judged) => {
    await open()
    limit.noteSettled(ticket, judgedOf(), charge(9n, absorbed))
    expect(judgedCounts).toBe(judged)
  })

  it('counts a request as under way for its wallet and its address, at a quarter of what is held', async () => {
    expect(await open()).toBe(ticket)
    // A quarter of 1,025 tokens, rounded up.
    const change = { underWay: 10_257n, atRisk: 0n, sinceMs: nowMs }
    expect(added).toEqual([
      { subject: wallet, change, nowMs },
      { subject: address, change, nowMs },
    ])
  })

  it('does not count what is not billed', async () => {
    expect(await open(openingOf({ isBilled: false }))).toBe(ticket)
    limit.release(ticket)
    expect(added).toEqual([])
  })

  it('takes a request back that ends without a trace', async () => {
    await open()
    added = []
    clockMs += 5_000
    limit.release(ticket)
    const change = { underWay: -10_257n, atRisk: 0n, sinceMs: nowMs, left: 0n, borne: 0n, paid: 0n }
    expect(added).toEqual([
      { subject: wallet, change, nowMs: nowMs + 5_000 },
      { subject: address, change, nowMs: nowMs + 5_000 },
    ])
    limit.release(ticket)
    expect(added).toHaveLength(2)
  })

  it('takes a request back whose hold was refused, and hands the refusal on', async () => {
    const refused = open(openingOf(), async () => Promise.reject(new Error('no credit')))
    await expect(refused).rejects.toThrow('no credit')
    expect(added.map(({ change }) => change.underWay)).toEqual([10_257n, 10_257n, -10_257n, -10_257n])
  })

  it('notes what was paid', async () => {
    await open()
    added = []
    limit.noteSettled(ticket, answered(), charge(77n))
    limit.release(ticket)
    expect(added.map(({ change }) => change)).toMatchObject([{ paid: 77n, left: 0n }, { paid: 77n }])
    expect(left).toEqual([])
  })

  it('prices what was left with the one who was asked, at the output that was seen', async () => {
    await open()
    added = []
    limit.noteOutput(ticket, 300)
    limit.noteLeft(ticket, candidate())
    limit.release(ticket)
    expect(left).toEqual([10_300n])
    expect(added.map(({ change }) => change)).toMatchObject([{ left: 10_300n, paid: 0n }, { left: 10_300n }])
  })

  it('takes nothing for left where nobody was asked', async () => {
    await open()
    added = []
    limit.noteLeft(ticket, null)
    limit.release(ticket)
    expect(left).toEqual([])
    expect(added.map(({ change }) => change)).toMatchObject([{ left: 0n }, { left: 0n }])
  })

  it('ignores requests that were not counted', () => {
    limit.noteOutput(ticket, 300)
    limit.noteLeft(ticket, candidate())
    limit.noteSettled(ticket, answered(), charge(1n))
    limit.release(ticket)
    expect([added, left]).toEqual([[], []])
  })

  it.each([
    ['crosses the allowance', 1_000_001n, [1_000_001n]],
    ['reaches it', 1_000_000n, []],
    ['was there before', 1_010_001n, []],
    ['crosses it with all that it left', 1_010_000n, [1_010_000n]],
  ])('tells once of a wallet that is over its allowance: it %s', async (_name, sum, told) => {
    await open()
    limit.noteLeft(ticket, candidate())
    sums = async (subject) => (subject === wallet ? { ...quiet, left: nanoUsd(sum) } : quiet)
    limit.release(ticket)
    await turn()
    expect(exceeded).toEqual(told)
  })

  it('does not tell of an address that is over it', async () => {
    await open()
    limit.noteLeft(ticket, candidate())
    sums = async (subject) => (subject === address ? { ...quiet, left: nanoUsd(1_000_001n) } : quiet)
    limit.release(ticket)
    await turn()
    expect([exceeded, errors]).toEqual([[], []])
  })

  it.each([
    ['twenty minutes before midnight: at most a quarter of an hour', nowMs, 900],
    ['five and a half seconds before midnight', nowMs + 1_195_000, 6],
  ])('refuses a wallet that left too much, until the day ends: %s', async (_name, atMs, retryAfterS) => {
    clockMs = atMs
    sums = async () => ({ ...quiet, left: nanoUsd(1_000_001n) })
    const error = await Promise.resolve(open()).then(() => expect.fail('it was let through'), asGatewayError)
    expect(error).toMatchObject({
      errorName: 'penaltyBlocked',
      message: `A temporary restriction is in place because too many responses were abandoned before they could be billed. Read responses to the end, and retry in ${retryAfterS} seconds.`,
      inside: 'daily limit of unbilled responses',
      retryAfterS,
    })
    expect(added.map(({ change }) => change.underWay)).toEqual([10_257n, 10_257n, -10_257n, -10_257n])
  })

  it('refuses a wallet with too much under way for a few seconds', async () => {
    sums = async () => ({ ...quiet, underWay: nanoUsd(20_000_001n) })
    const error = await Promise.resolve(open()).then(() => expect.fail('it was let through'), asGatewayError)
    expect(error).toMatchObject({
      errorName: 'rateLimited',
      message:
        'Too many requests are in progress for what this account has paid so far. Let some finish, then retry in 5 seconds.',
      inside: 'estimated cost of in-flight requests',
      retryAfterS: 5,
    })
  })

  it('tells of a store that fails when a request ends, however it ends', async () => {
    await open()
    const away = new Error('away')
    sums = async () => Promise.reject(away)
    limit.release(ticket)
    await turn()
    expect(errors).toEqual([away])
    sums = async () => quiet
    const refused = open(openingOf(), async () => {
      sums = async () => Promise.reject(away)
      throw new Error('no credit')
    })
    await expect(refused).rejects.toThrow('no credit')
    await turn()
    expect(errors).toEqual([away, away])
  })

  it('takes the households of an IPv6 network for one address', async () => {
    ticket = { ...ticket, arrival: { ...ticket.arrival, clientIp: '2001:db8:1:22::9' } }
    await open()
    expect(added[1]?.subject).toBe(hash('sha256', 'address 2001:db8:1:0::/56'))
  })
})
