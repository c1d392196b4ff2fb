import { describe, expect, it } from 'vitest'
import type { Refusal } from '#domain/ledger/refusal.ts'
import { newUuid } from '#lib/uuid.ts'
import type { RefusalBatch } from '#ports/refusals.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { collectRefusals, type RefusalOutcome } from './collect-refusals.ts'

const startMs = Date.parse('2030-01-07T12:00:00Z')

function refusal(): Refusal {
  return {
    id: newUuid(startMs),
    keyId: 'key',
    walletId: 'wallet',
    userId: null,
    organizationId: null,
    memberId: null,
    teamId: null,
    endpoint: 'chat',
    error: 'rateLimited',
    status: 429,
    boundBy: null,
    model: null,
  }
}

/** A collector over a store that answers what the test says. */
function start(answer: (batch: RefusalBatch) => Promise<'written' | 'lost'> = async () => 'written') {
  const timers = createTestTimers()
  const sent: RefusalBatch[] = []
  const told: Partial<Record<RefusalOutcome, number>> = {}
  const faults: unknown[] = []
  const collector = collectRefusals({
    store: {
      write: (batch) => {
        sent.push(batch)
        return answer(batch)
      },
    },
    writer: 'writer',
    timers,
    tell: (outcome, count) => {
      told[outcome] = (told[outcome] ?? 0) + count
    },
    fault: { failed: (error) => faults.push(error), succeeded: () => faults.push('over') },
  })
  return { collector, timers, sent, told, faults }
}

const away = () => Promise.reject(new Error('away'))

describe('the collector of refusals', () => {
  it('writes once a second as long as there are any, and never asks for nothing', async () => {
    const { collector, timers, sent, told } = start()
    await timers.pass(10_000)
    expect(sent).toEqual([])
    collector.note(refusal())
    collector.note(refusal())
    await timers.pass(999)
    expect(sent).toEqual([])
    expect(collector.waiting).toBe(2)
    await timers.pass(1)
    expect(sent).toMatchObject([{ writer: 'writer', number: 1, refusals: [{}, {}], counts: [{ count: 2 }] }])
    expect(collector.waiting).toBe(0)
    collector.note(refusal())
    await timers.pass(10_000)
    expect(sent.map(({ number }) => number)).toEqual([1, 2])
    expect(told).toEqual({ written: 3 })
  })

  it('sends a batch unchanged until it is confirmed, and what came meanwhile after it', async () => {
    let isAway = true
    const { collector, timers, sent, told, faults } = start(async () => (isAway ? away() : 'written'))
    collector.note(refusal())
    await timers.pass(1_000)
    collector.note(refusal())
    await timers.pass(2_000)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map((batch) => JSON.stringify(batch))).size).toBe(1)
    expect(collector.waiting).toBe(2)
    isAway = false
    await timers.pass(2_000)
    expect(sent.map(({ number }) => number)).toEqual([1, 1, 1, 1, 2])
    expect(told).toEqual({ written: 2 })
    expect(faults).toEqual([expect.any(Error), expect.any(Error), expect.any(Error), 'over', 'over'])
  })

  it('has one batch under way at a time', async () => {
    const answers: (() => void)[] = []
    const { collector, timers, sent } = start(() => new Promise((resolve) => answers.push(() => resolve('written'))))
    collector.note(refusal())
    await timers.pass(1_000)
    collector.note(refusal())
    await timers.pass(5_000)
    expect(sent).toHaveLength(1)
    answers[0]?.()
    await timers.pass(1_000)
    expect(sent.map(({ number }) => number)).toEqual([1, 2])
  })

  it('counts as lost what the store rejects, and goes on', async () => {
    const { collector, timers, sent, told } = start(async ({ number }) => (number === 1 ? 'lost' : 'written'))
    collector.note(refusal())
    await timers.pass(1_000)
    collector.note(refusal())
    await timers.pass(1_000)
    expect(sent.map(({ number }) => number)).toEqual([1, 2])
    expect(told).toEqual({ lost: 1, written: 1 })
  })

  it('writes everything when the process shuts down, what is under way included', async () => {
    const answers: (() => void)[] = []
    const { collector, timers, sent, told } = start(({ number }) =>
      number === 1 ? new Promise((resolve) => answers.push(() => resolve('written'))) : Promise.resolve('written'),
    )
    collector.note(refusal())
    await timers.pass(1_000)
    collector.note(refusal())
    const closed = collector.close()
    answers[0]?.()
    await closed
    expect(sent.map(({ number }) => number)).toEqual([1, 2])
    expect(told).toEqual({ written: 2 })
    await timers.pass(10_000)
    expect(sent).toHaveLength(2)
  })

  it('gives up at shutdown where the store is away, and says how many are lost', async () => {
    const { collector, timers, sent, told } = start(away)
    collector.note(refusal())
    await timers.pass(1_000)
    collector.note(refusal())
    await collector.close()
    expect(sent).toHaveLength(3)
    expect(told).toEqual({ lost: 2 })
    await timers.pass(10_000)
    expect(sent).toHaveLength(3)
  })

  it('shuts down at once where nothing waits', async () => {
    const { collector, sent } = start(away)
    await collector.close()
    expect(sent).toEqual([])
  })
})
