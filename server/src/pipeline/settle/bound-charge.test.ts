import { describe, expect, it } from 'vitest'
import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { ExtendRequest, Money } from '#ports/money.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Ticket } from '../types.ts'
import { boundCharge } from './bound-charge.ts'

// The hold of the test ticket.
const held = 2_058_000n

/** A call to a model with a context of 2,000 tokens, capped at 3,000. */
function cappedTicket(): Ticket {
  const { candidates, call } = testTicket().plan
  const small = candidates.map((each) => ({ ...each, model: { ...each.model, contextLength: 2_000 } }))
  return testTicket({ candidates: small, call: { ...call, maxTokens: 3_000 }, isOpenEnded: false })
}

/** The same with a context of 4,500 tokens. */
function longTicket(): Ticket {
  const { candidates, call } = testTicket().plan
  const long = candidates.map((each) => ({ ...each, model: { ...each.model, contextLength: 4_500 } }))
  return testTicket({ candidates: long, call: { ...call, maxTokens: 3_000 }, isOpenEnded: false })
}

function charged(ticket: Ticket, cost: bigint, usage: UsageClasses | null, deliveredTokens = 0): Judged {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  return {
    outcome: {
      kind: 'answered',
      candidate,
      status: 200,
      answer,
      cancelled: false,
      deliveredTokens: () => deliveredTokens,
    },
    charge: { cost: nanoUsd(cost), cacheDiscount: nanoUsd(3n) },
    refundReason: null,
    absorbed: zeroUsd,
    usageDoubted: false,
  }
}

async function bound(ticket: Ticket, judged: Judged, extend: Money['extend']) {
  const requests: ExtendRequest[] = []
  const errors: unknown[] = []
  const deps = {
    extend: (request: ExtendRequest) => {
      requests.push(request)
      return extend(request)
    },
    onError: (error: unknown) => errors.push(error),
  }
  return { result: await boundCharge(ticket, judged, deps), requests, errors }
}

const few = { ...noUsage, uncachedInput: 5 }
const grantAll: Money['extend'] = async ({ total }) => ({ total, refusedBy: null })
const refuseAll: Money['extend'] = async () => {
  throw new Error('nothing may be asked for')
}

describe('a charge and its hold', () => {
  it('never exceeds what the client allows: the operator absorbs the rest', async () => {
    const ticket = testTicket({ maxCost: nanoUsd(held + 5n) })
    const { result, requests } = await bound(ticket, charged(ticket, held + 12n, few), grantAll)
    expect(requests.map(({ total }) => total)).toEqual([held + 5n])
    expect(result).toMatchObject({ charge: { cost: held + 5n }, absorbed: 7n, usageDoubted: false })
    const enough = testTicket({ maxCost: nanoUsd(held + 12n) })
    const whole = await bound(enough, charged(enough, held + 12n, few), grantAll)
    expect(whole.result).toMatchObject({ charge: { cost: held + 12n }, absorbed: 0n })
  })

  it.each([0n, 1n, held - 1n, held])('%i of the hold is charged as it is, and nothing is asked for', async (cost) => {
    const ticket = testTicket()
    const judged = charged(ticket, cost, few)
    const { result, requests } = await bound(ticket, judged, refuseAll)
    expect(result).toBe(judged)
    expect(requests).toEqual([])
  })

  it('one above the hold asks for exactly the cost, and keeps the rest of the judgement', async () => {
    const ticket = testTicket()
    const judged = charged(ticket, held + 1n, few)
    const { result, requests } = await bound(ticket, judged, async ({ total }) => ({ total, refusedBy: null }))
    expect(requests).toEqual([{ id: ticket.arrival.generationId, total: held + 1n, windows: [] }])
    expect(result).toEqual(judged)
    expect(ticket.heldAmount).toBe(held + 1n)
  })

  it('is never more than the cost, even where the hold has become larger than that', async () => {
    const ticket = testTicket()
    const judged = charged(ticket, held + 1n, few)
    const { result } = await bound(ticket, judged, async () => ({ total: nanoUsd(held + 500n), refusedBy: null }))
    expect(result).toMatchObject({ charge: { cost: held + 1n }, absorbed: 0n })
  })

  it('asks for all of the cost where the hold has lapsed: the settle finds what there is room for', async () => {
    const ticket = testTicket()
    const { result, errors } = await bound(ticket, charged(ticket, held + 9n, few), async () => null)
    expect(result).toMatchObject({ charge: { cost: held + 9n, cacheDiscount: 3n }, absorbed: 0n })
    expect(ticket.heldAmount).toBe(held)
    expect(errors).toEqual([])
  })

  it('tells of a store that is away, and is cut to the hold', async () => {
    const ticket = testTicket()
    const away = new Error('away')
    const { result, errors } = await bound(ticket, charged(ticket, held + 9n, few), async () => Promise.reject(away))
    expect(result).toMatchObject({ charge: { cost: held }, absorbed: 9n })
    expect(errors).toEqual([away])
  })
})

describe('usage that nobody can have used', () => {
  const tooMuch = { ...noUsage, uncachedInput: 2_001 }

  it('is doubted within the hold, too, and charged as it is', async () => {
    const ticket = cappedTicket()
    const judged = charged(ticket, 7n, tooMuch)
    const { result } = await bound(ticket, judged, refuseAll)
    expect(result).toEqual({ ...judged, usageDoubted: true })
  })

  it('is charged up to the hold, and absorbed up to what the model can read', async () => {
    const ticket = cappedTicket()
    // The context of 2,000 tokens at 1,000 nano-USD is less than the hold.
    const { result, requests } = await bound(ticket, charged(ticket, held + 9n, tooMuch), refuseAll)
    expect(result).toMatchObject({ charge: { cost: held }, absorbed: 0n, usageDoubted: true })
    expect(requests).toEqual([])
  })

  describe('C3: output beyond the cap', () => {
    // 3,000 tokens were allowed and 5,000 counted, at 2,000 nano-USD each.
    const beyond = { ...noUsage, textOutput: 5_000 }
    const cost = 10_000_000n

    it.each([
      ['nothing of it was delivered: its cap', 0, 6_000_000n],
      ['less than its cap was delivered: its cap', 2_999, 6_000_000n],
      ['more than its cap was delivered: that', 3_500, 7_000_000n],
      ['more was delivered than is counted: what is counted', 9_000, cost],
    ])('is charged where %s', async (_name, delivered, believed) => {
      const ticket = longTicket()
      const { result, requests } = await bound(ticket, charged(ticket, cost, beyond, delivered), grantAll)
      expect(requests).toMatchObject([{ total: believed }])
      // The model can write 4,500 tokens.
      const borne = 9_000_000n > believed ? 9_000_000n - believed : 0n
      expect(result).toMatchObject({ charge: { cost: believed }, absorbed: borne, usageDoubted: true })
    })

    it('is charged as far as the wallet reaches, and the rest is absorbed', async () => {
      const ticket = longTicket()
      const { result } = await bound(ticket, charged(ticket, cost, beyond, 3_500), async () => ({
        total: nanoUsd(held + 5n),
        refusedBy: 'wallet',
      }))
      expect(result).toMatchObject({ charge: { cost: held + 5n }, absorbed: 9_000_000n - held - 5n })
    })

    it('adds to what the client was spared already', async () => {
      const ticket = longTicket()
      const judged = { ...charged(ticket, cost, beyond, 3_500), absorbed: nanoUsd(11n) }
      expect((await bound(ticket, judged, grantAll)).result.absorbed).toBe(2_000_011n)
    })
  })

  it.each([
    ['input that fills the context', { ...noUsage, uncachedInput: 2_000 }],
    ['output up to the cap and its frame', { ...noUsage, textOutput: 3_016 }],
    ['no usage at all', null],
  ])('is not found in %s', async (_name, usage) => {
    const ticket = cappedTicket()
    const { result } = await bound(ticket, charged(ticket, 7n, usage), refuseAll)
    expect(result.usageDoubted).toBe(false)
  })

  it('is not looked for in a refund', async () => {
    const ticket = cappedTicket()
    const { candidate, status, answer, cancelled } = charged(ticket, 0n, tooMuch).outcome
    const outcome = { kind: 'refunded', reason: 'no_usage', candidate, status, answer, cancelled, error: null } as const
    const judged: Judged = { ...charged(ticket, 0n, tooMuch), outcome, refundReason: 'no_usage' }
    expect((await bound(ticket, judged, refuseAll)).result).toBe(judged)
  })
})
