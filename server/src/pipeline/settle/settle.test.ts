import { describe, expect, it } from 'vitest'
import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Money, SettleEntry } from '#ports/money.ts'
import { recordOf } from '../record/record.ts'
import type { Answer, Outcome, Ticket } from '../types.ts'
import { createSettle, judge } from './settle.ts'
import { testTicket } from '#test/streams/test-ticket.ts'

function answered(ticket: Ticket, usage: UsageClasses | null): Outcome {
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
    expect(judge(answered(ticket, null))).toMatchObject({ charge: { cost: 0n }, refundReason: 'no_usage' })
  })

  it('[P8] [HOLD-07] of zeros is a refund, never an estimate', () => {
    const ticket = testTicket()
    expect(judge(answered(ticket, noUsage))).toMatchObject({ charge: { cost: 0n }, refundReason: 'zero_usage' })
  })

  it('[HOLD-08] of input alone is a charge', () => {
    const ticket = testTicket()
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: 5 }))
    expect(judged).toMatchObject({ charge: { cost: 5_000n }, refundReason: null })
  })

  it('of more than any request can come to is a refund, and so fits the ledger', () => {
    const ticket = testTicket()
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: Number.MAX_SAFE_INTEGER }))
    expect(judged).toMatchObject({ charge: { cost: 0n }, refundReason: 'no_usage' })
  })

  it('of a test model is never a charge', () => {
    const { candidates } = testTicket().plan
    const ticket = testTicket({ candidates: candidates.map((candidate) => ({ ...candidate, billing: 'test' })) })
    const judged = judge(answered(ticket, { ...noUsage, uncachedInput: 5 }))
    expect(judged).toMatchObject({ charge: { cost: 0n }, refundReason: 'not_billed' })
  })
})

describe('settling', () => {
  it('[MONEY-09] [P4] happens once: whoever is first decides, and everyone hears the same cost', async () => {
    const { settleTicket, entries, counts } = stage(async ({ record }) => ({ cost: record.cost }))
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

  it('[MONEY-09] shows the cost that the ledger has, should it have been settled before', async () => {
    const { settleTicket } = stage(async () => ({ cost: parseUsd('7') }))
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

function stage(settle: Money['settle']) {
  const entries: SettleEntry[] = []
  let released = 0
  let reported = 0
  const settleTicket = createSettle({
    money: {
      hold: async () => ({ allowed: true }),
      extend: async () => true,
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
  })
  return { settleTicket, entries, counts: () => ({ released, reported }) }
}
