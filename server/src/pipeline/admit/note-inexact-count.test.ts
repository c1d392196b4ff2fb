import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Billing, Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Ticket } from '../types.ts'
import { noteInexactCount } from './note-inexact-count.ts'

/** The hold covers 100 output tokens at 2,000 nano-dollars; the prompt has at most 138, at 1,000. */
const ticket: Ticket = { ...testTicket(), heldTokens: 100 }
const [first] = ticket.plan.candidates
assert(first !== undefined, 'the ticket has a candidate')

function notedFor(
  usage: Usage | null,
  { billing = 'charged', given = ticket }: { billing?: Billing; given?: Ticket } = {},
) {
  const noted: Candidate[] = []
  const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  const candidate = { ...first, billing } as Candidate
  const judged: Judged = {
    outcome: { kind: 'answered', candidate, status: 200, answer, cancelled: false },
    charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
    refundReason: null,
    absorbed: zeroUsd,
    usageDoubted: true,
  }
  noteInexactCount(given, judged, { has: () => false, note: (each) => noted.push(each) })
  return noted.length
}

describe('an upstream is taken for inexact', () => {
  it.each<[string, Partial<Usage>]>([
    ['ignores its cap', { textOutput: 339 }],
    ['counts more for a prompt than that has bytes', { uncachedInput: 677 }],
  ])('if it %s by more than twice', (_name, counts) => {
    expect(notedFor({ ...noUsage, ...counts })).toBe(1)
  })

  it.each<[string, Usage | null]>([
    ['twice of that', { ...noUsage, textOutput: 338 }],
    ['a prompt with long instructions of its own', { ...noUsage, uncachedInput: 676 }],
    ['no count', null],
  ])('but not for %s', (_name, usage) => {
    expect(notedFor(usage)).toBe(0)
  })

  it('never by a call that costs nothing or makes media', () => {
    const usage = { ...noUsage, textOutput: 100_000 }
    expect(notedFor(usage, { billing: 'own_key' })).toBe(0)
    const media = { task: { kind: 'speech' }, worst: noUsage } as unknown as NonNullable<
      Ticket['plan']['call']['media']
    >
    const plan = { ...ticket.plan, call: { ...ticket.plan.call, media } }
    expect(notedFor(usage, { given: { ...ticket, plan } })).toBe(0)
  })
})
