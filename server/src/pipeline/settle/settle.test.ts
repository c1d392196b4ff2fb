import { afterEach, describe, expect, it } from 'vitest'
import { withServiceTier } from '#domain/inference/service-tier.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { type NanoUsd, nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { assert } from '#lib/assert.ts'
import { armFailpoints } from '#lib/failpoint.ts'
import type { Money, SettleEntry } from '#ports/money.ts'
import { recordOf } from './record/record.ts'
import type { Answer, AnswerRest, Outcome, Ticket } from '../types.ts'
import { createSettle, judge } from './settle.ts'
import { testTicket } from '#test/streams/test-ticket.ts'

function answered(ticket: Ticket, usage: Usage | null): Outcome {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const answer: Answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  return { kind: 'answered', candidate, status: 200, answer, cancelled: false }
}

const refunded: Outcome = {
  kind: 'refunded',
  reason: 'stream_interrupted',
  candidate: null,
  status: null,
  answer: null,
  cancelled: false,
  error: null,
}

describe('the judgement of an outcome', () => {
  it('[HOLD-06] without usage is a refund', () => {
    const ticket = testTicket()
    expect(judge(answered(ticket, null), ticket)).toMatchObject({ charge: { cost: 0n }, refundReason: 'no_usage' })
  })

  it('[P8] [HOLD-07] of zeros is a refund, never an estimate', () => {
    const ticket = testTicket()
    expect(judge(answered(ticket, noUsage), ticket)).toMatchObject({ charge: { cost: 0n }, refundReason: 'zero_usage' })
  })

  it('[HOLD-08] of input alone is a charge', () => {
    const ticket = testTicket()
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: 5 }), ticket)
    expect(judged).toMatchObject({ charge: { cost: 5_000n }, refundReason: null })
  })

  it('of more than any request can come to is a refund, and so fits the ledger', () => {
    const ticket = testTicket()
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: Number.MAX_SAFE_INTEGER }), ticket)
    expect(judged).toMatchObject({ charge: { cost: 0n }, refundReason: 'no_usage' })
  })

  it('of a test model is never a charge', () => {
    const { candidates } = testTicket().plan
    const ticket = testTicket({ candidates: candidates.map((candidate) => ({ ...candidate, billing: 'test' })) })
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: 5 }), ticket)
    expect(judged).toMatchObject({ charge: { cost: 0n }, refundReason: 'not_billed' })
  })
})

describe('what is not charged', () => {
  it.each([
    ['free', 'free_tier'],
    ['own_key', 'own_key'],
    ['test', 'not_billed'],
  ] as const)('an answer with the billing %s is a refund: %s', (billing, refundReason) => {
    const { candidates } = testTicket().plan
    const ticket = testTicket({ candidates: candidates.map((candidate) => ({ ...candidate, billing })) })
    const outcome = answered(ticket, { ...noUsage, uncachedInput: 5 })
    expect(judge(outcome, ticket)).toEqual({
      outcome,
      charge: { cost: 0n, cacheDiscount: 0n },
      refundReason,
      absorbed: 0n,
      usageDoubted: false,
    })
  })

  it('a refund keeps the reason it came with', () => {
    expect(judge(refunded, testTicket())).toMatchObject({ charge: { cost: 0n }, refundReason: 'stream_interrupted' })
  })

  it('is whatever comes to more than a million dollars; a million is charged', () => {
    const ticket = testTicket()
    // A prompt token costs a millionth of a dollar.
    const million = judge(answered(ticket, { ...noUsage, uncachedInput: 1_000_000_000_000 }), ticket)
    expect(million).toMatchObject({
      charge: { cost: 1_000_000_000_000_000n },
      refundReason: null,
      absorbed: 0n,
      usageDoubted: false,
    })
    const more = judge(answered(ticket, { ...noUsage, uncachedInput: 1_000_000_000_001 }), ticket)
    expect(more).toMatchObject({ charge: { cost: 0n }, refundReason: 'no_usage' })
  })
})

describe('the failpoints of a settle', () => {
  afterEach(() => armFailpoints(''))

  it.each([
    ['before-settle', 0],
    ['after-settle', 1],
  ])('%s stops it with %i entries written', async (name, written) => {
    armFailpoints(`${name}=pause:0`)
    const { settleTicket, entries, counts } = stage(echo)
    const settled = settleTicket(testTicket(), refunded)
    // A pause ends with a timer, and timers fire after all resolved promises.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
    expect(entries).toHaveLength(written)
    expect(counts()).toEqual({ released: 0, reported: 0 })
    expect(await settled).toBe(0n)
    expect(counts()).toEqual({ released: 1, reported: 1 })
  })
})

describe('settling', () => {
  it('[MONEY-09] [P4] happens once: whoever is first decides, and everyone hears the same cost', async () => {
    const { settleTicket, entries, counts } = stage(async ({ record }) => ({ cost: record.cost, absorbed: zeroUsd }))
    const ticket = testTicket()
    const usage = { ...noUsage, uncachedInput: 5 }
    const costs = await Promise.all([
      settleTicket(ticket, answered(ticket, usage)),
      settleTicket(ticket, refunded),
      settleTicket(ticket, refunded),
    ])
    expect(costs).toEqual([5_000n, 5_000n, 5_000n])
    expect(entries).toHaveLength(1)
    expect(counts()).toEqual({ released: 1, reported: 1 })
  })

  it.each([
    // 5 tokens at 1,000 nano-USD, or at 3,000 if the client requested the more expensive tier.
    ['as usual in a tier that it did not ask for', {}, 'priority', 5_000n],
    ['at its price in the tier that it asked for', { service_tier: 'priority' }, 'priority', 15_000n],
    ['as usual where the tier that it asked for did not serve it', { service_tier: 'priority' }, undefined, 5_000n],
    ['as usual where another tier served it', { service_tier: 'flex' }, 'priority', 5_000n],
  ] as const)('charges a client %s', async (_what, fields, served, cost) => {
    const { candidates, call } = testTicket().plan
    const units = parseUnitPrices({ priority_prompt: '0.000003', priority_completion: '0.000006' })
    const tiered = candidates.map((candidate) => ({
      ...candidate,
      model: { ...candidate.model, author: 'openai' },
      price: { ...candidate.price, base: { ...candidate.price.base, ...units } },
    }))
    const ticket = testTicket({ candidates: tiered, call: { ...call, body: { ...call.body, ...fields } } })
    const { settleTicket } = stage(async ({ record }) => ({ cost: record.cost, absorbed: zeroUsd }))
    const usage = withServiceTier({ ...noUsage, uncachedInput: 5 }, served)
    expect(await settleTicket(ticket, answered(ticket, usage))).toBe(cost)
  })

  it('charges nothing where nobody answered', async () => {
    const { settleTicket } = stage(async ({ record }) => ({ cost: record.cost, absorbed: zeroUsd }))
    const ticket = testTicket()
    expect(await settleTicket(ticket, answered(ticket, null))).toBe(0n)
  })

  it('[MONEY-09] shows the cost that the ledger has, should it have been settled before', async () => {
    const { settleTicket } = stage(async () => ({ cost: parseUsd('7'), absorbed: zeroUsd }))
    expect(await settleTicket(testTicket(), refunded)).toBe(nanoUsd(7_000_000_000n))
  })

  it('[P3] lets the lease run out when neither Postgres nor the spool took it', async () => {
    const { settleTicket, counts } = stage(async () => {
      throw new Error('disk full')
    })
    await expect(settleTicket(testTicket(), refunded)).rejects.toThrow('disk full')
    expect(counts()).toEqual({ released: 1, reported: 0 })
  })
})

/** A ticket whose answer is stored, and what happens to the stored answer. */
function recorded() {
  const log: string[] = []
  const plain = testTicket()
  const recording = {
    complete: async ({ bytes }: AnswerRest) => void log.push(`stored ${String(bytes)}`),
    settled: (isAsWritten: boolean) => void log.push(isAsWritten ? 'kept' : 'not kept'),
    forget: async () => void log.push('forgotten'),
  }
  return { log, ticket: { ...plain, arrival: { ...plain.arrival, recording } } }
}

describe('[NEXT-60] the settle of a request whose answer is stored', () => {
  const usage = { ...noUsage, uncachedInput: 5 }
  const whole = (ticket: Ticket) => ({
    ...answered(ticket, usage),
    rest: (cost: NanoUsd): AnswerRest => ({ bytes: `cost ${cost}` }),
  })

  it('stores the rest of the answer with its cost, before the charge', async () => {
    const { log, ticket } = recorded()
    const { settleTicket } = stage((entry) => {
      log.push('charged')
      return echo(entry)
    })
    await settleTicket(ticket, whole(ticket))
    expect(log).toEqual(['stored cost 5000', 'charged', 'kept'])
  })

  it('does not keep an answer that shows another cost than was charged', async () => {
    const { log, ticket } = recorded()
    await stage(async () => ({ cost: nanoUsd(1n), absorbed: zeroUsd })).settleTicket(ticket, whole(ticket))
    expect(log).toEqual(['stored cost 5000', 'not kept'])
  })

  it('[NEXT-69] does not keep an answer without an end', async () => {
    const { log, ticket } = recorded()
    await stage(echo).settleTicket(ticket, answered(ticket, usage))
    expect(log).toEqual(['not kept'])
  })

  it('[NEXT-65] forgets a request that was refunded', async () => {
    const { log, ticket } = recorded()
    await stage(echo).settleTicket(ticket, refunded)
    expect(log).toEqual(['forgotten'])
  })
})

describe('[B7] [MONEY-10] a charge above its hold', () => {
  // The ticket holds $0.002058; its prompt tokens cost 1,000 nano-dollars each.
  const held = 2_058_000n

  it('takes what is left, and the rest is absorbed', async () => {
    const { settleTicket, entries } = stage(echo, async () => ({ total: nanoUsd(3_000_000n), refusedBy: 'wallet' }))
    const ticket = testTicket()
    expect(await settleTicket(ticket, answered(ticket, input(5_000)))).toBe(3_000_000n)
    expect(entries[0]?.record).toMatchObject({ cost: 3_000_000n, absorbed: 2_000_000n, held: 3_000_000n })
  })

  it('is charged in full where there is room, and asks no breaker', async () => {
    const asked: string[] = []
    const { settleTicket } = stage(echo, async ({ total, windows }) => {
      asked.push(...windows.map(({ kind }) => kind))
      return { total, refusedBy: null }
    })
    const windows = ['user_minute', 'key_day'].map((kind) => ({ kind, ownerId: 'x', startsAtMs: 0, limit: zeroUsd }))
    const ticket = { ...testTicket(), windows }
    expect(await settleTicket(ticket, answered(ticket, input(5_000)))).toBe(5_000_000n)
    expect(asked).toEqual(['key_day'])
  })

  it('is cut to the hold where the store is away, because its cost is shown before it is settled', async () => {
    const { settleTicket, entries } = stage(echo, async () => {
      throw new Error('away')
    })
    const ticket = testTicket()
    expect(await settleTicket(ticket, answered(ticket, input(5_000)))).toBe(held)
    expect(entries[0]?.record.absorbed).toBe(5_000_000n - held)
  })

  it('is not believed beyond cap and context: the hold is charged, and the figure stays on the record', async () => {
    const { settleTicket, entries } = stage(echo, async () => {
      throw new Error('nothing may be asked for')
    })
    const { candidates, call } = testTicket().plan
    const small = candidates.map((each) => ({ ...each, model: { ...each.model, contextLength: 2_000 } }))
    const ticket = testTicket({ candidates: small, call: { ...call, maxTokens: 3_000 }, isOpenEnded: false })
    expect(await settleTicket(ticket, answered(ticket, input(5_001)))).toBe(held)
    expect(entries[0]?.record).toMatchObject({ usageDoubted: true, absorbed: 0n, usage: { uncachedInput: 5_001 } })
  })
})

const echo: Money['settle'] = async ({ record }) => ({ cost: record.cost, absorbed: record.absorbed ?? zeroUsd })
const input = (tokens: number): Usage => ({ ...noUsage, uncachedInput: tokens })

function stage(settle: Money['settle'], extend: Money['extend'] = async () => null) {
  const entries: SettleEntry[] = []
  let released = 0
  let reported = 0
  const settleTicket = createSettle({
    money: {
      hold: async ({ amount }) => ({ allowed: true, granted: amount, room: zeroUsd }),
      extend,
      renew: async () => {},
      settle: (entry) => {
        entries.push(entry)
        return settle(entry)
      },
    },
    release: () => {
      released += 1
    },
    record: (ticket, judged) => recordOf(ticket, judged, 1),
    report: () => {
      reported += 1
    },
    onError: () => {},
  })
  return { settleTicket, entries, counts: () => ({ released, reported }) }
}
