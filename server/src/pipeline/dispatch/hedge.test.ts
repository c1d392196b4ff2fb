import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { one, two } from '#test/streams/dispatch-stage.ts'
import { endOf, hedgedStage, type Step, three, turn } from '#test/streams/hedged-stage.ts'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'

interface Row {
  readonly steps: readonly Step[]
  readonly attempts: readonly string[]
  readonly end: readonly string[]
  /** What was cancelled, lost, counted and answered, in this order. */
  readonly log: readonly string[]
}

const lostOne = 'lost one after 200 ms with 7 tokens'
const lostTwo = 'lost two after 100 ms with 7 tokens'

const streams: readonly Row[] = [
  {
    steps: ['one opens', 'one ends'],
    attempts: ['one answered'],
    end: ['one charged'],
    log: ['ask one', 'one answered', 'timer over'],
  },
  {
    steps: ['late', 'two opens', 'two ends'],
    attempts: ['one hedge_lost', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'cancel one', lostOne, 'two answered', 'count won'],
  },
  {
    steps: ['late', 'one opens', 'one ends'],
    attempts: ['two hedge_lost', 'one answered'],
    end: ['one charged'],
    log: ['ask one', 'timer over', 'ask two', 'cancel two', lostTwo, 'one answered', 'count lost'],
  },
  {
    steps: ['late', 'one fails', 'two opens', 'two ends'],
    attempts: ['one unreachable', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'two answered', 'count won'],
  },
  {
    steps: ['late', 'two fails', 'one opens', 'one breaks'],
    attempts: ['two unreachable', 'one answered'],
    end: ['one stream_interrupted'],
    log: ['ask one', 'timer over', 'ask two', 'one answered', 'count lost'],
  },
  {
    steps: ['late', 'one fails', 'two fails'],
    attempts: ['one unreachable', 'two unreachable'],
    end: ['two upstream_failed'],
    log: ['ask one', 'timer over', 'ask two', 'count failed'],
  },
  {
    steps: ['late', 'two fails', 'one fails'],
    attempts: ['two unreachable', 'one unreachable'],
    end: ['one upstream_failed'],
    log: ['ask one', 'timer over', 'ask two', 'count failed'],
  },
  {
    steps: ['late', 'one gives up', 'two opens', 'two ends'],
    attempts: ['one malformedRequest', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'two answered', 'count won'],
  },
  {
    steps: ['late', 'two gives up', 'one opens', 'one ends'],
    attempts: ['two malformedRequest', 'one answered'],
    end: ['one charged'],
    log: ['ask one', 'timer over', 'ask two', 'one answered', 'count lost'],
  },
  {
    steps: ['late', 'one gives up', 'two fails'],
    attempts: ['one malformedRequest', 'two unreachable'],
    end: ['one upstream_rejected'],
    log: ['ask one', 'timer over', 'ask two', 'count failed'],
  },
  {
    steps: ['late', 'one gives up', 'two gives up'],
    attempts: ['one malformedRequest', 'two malformedRequest'],
    end: ['one upstream_rejected'],
    log: ['ask one', 'timer over', 'ask two', 'count failed'],
  },
  {
    steps: ['one gives up'],
    attempts: ['one malformedRequest'],
    end: ['one upstream_rejected'],
    log: ['ask one', 'timer over'],
  },
  {
    steps: ['one fails', 'two opens', 'two ends'],
    attempts: ['one unreachable', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'two answered', 'timer over'],
  },
  {
    steps: ['late', 'leave'],
    attempts: ['two hedge_lost', 'one abandoned'],
    end: ['one client_cancelled'],
    log: ['ask one', 'timer over', 'ask two', 'cancel two', lostTwo, 'cancel one', 'unbilled one', 'count cancelled'],
  },
  {
    steps: ['late', 'two opens', 'leave'],
    attempts: ['one hedge_lost', 'two answered'],
    end: ['two client_cancelled'],
    log: [
      'ask one',
      'timer over',
      'ask two',
      'cancel one',
      lostOne,
      'two answered',
      'count won',
      'cancel two',
      'unbilled two',
    ],
  },
  {
    steps: ['late', 'one fails', 'leave'],
    attempts: ['one unreachable', 'two abandoned'],
    end: ['two client_cancelled'],
    log: ['ask one', 'timer over', 'ask two', 'cancel two', 'unbilled two', 'count cancelled'],
  },
  {
    steps: ['late', 'two opens', 'two is exhausted'],
    attempts: ['one hedge_lost', 'two answered'],
    end: ['two credit_exhausted'],
    log: [
      'ask one',
      'timer over',
      'ask two',
      'cancel one',
      lostOne,
      'two answered',
      'count won',
      'cancel two',
      'unbilled two',
    ],
  },
  {
    steps: ['late', 'two is exhausted'],
    attempts: ['one hedge_lost', 'two abandoned'],
    end: ['two credit_exhausted'],
    log: ['ask one', 'timer over', 'ask two', 'cancel one', lostOne, 'cancel two', 'unbilled two', 'count cancelled'],
  },
  {
    steps: ['late', 'two opens', 'one is exhausted', 'two ends'],
    attempts: ['one hedge_lost', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'cancel one', lostOne, 'two answered', 'count won'],
  },
]

describe('a hedged stream', () => {
  it.each(streams)('[NEXT-102] [NEXT-103] with $steps', async ({ steps, attempts, end, log }) => {
    const scene = hedgedStage()
    await scene.play(...steps)
    expect(scene.log).toEqual(log)
    expect(scene.attempts()).toEqual(attempts)
    expect(endOf(scene.outcomes)).toEqual(end)
    expect(scene.budget).toMatchObject({ earned: 1, spent: Number(log.some((line) => line.startsWith('count'))) })
  })

  it('[NEXT-105] shows what the lost attempt cost, and no health of it', async () => {
    const scene = hedgedStage()
    await scene.play('late', 'two opens', 'two ends')
    expect(scene.ticket.attempts).toEqual([
      {
        model: 'acme/model',
        provider: 'openai',
        account: 'one',
        outcome: 'hedge_lost',
        status: 200,
        durationMs: 200,
        estimatedUsd: '0.000009',
      },
      { model: 'acme/model', provider: 'openai', account: 'two', outcome: 'answered', status: 200, durationMs: 100 },
    ])
  })
})

const call = testTicket().plan.call
const whole = { call: { ...call, stream: false } }

const documents: readonly Row[] = [
  {
    steps: ['late', 'two completes'],
    attempts: ['one hedge_lost', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'cancel one', lostOne, 'two answered', 'count won'],
  },
  {
    steps: ['late', 'one completes'],
    attempts: ['two hedge_lost', 'one answered'],
    end: ['one charged'],
    log: ['ask one', 'timer over', 'ask two', 'cancel two', lostTwo, 'one answered', 'count lost'],
  },
  {
    steps: ['late', 'one fails', 'two completes'],
    attempts: ['one unreachable', 'two answered'],
    end: ['two charged'],
    log: ['ask one', 'timer over', 'ask two', 'two answered', 'count won'],
  },
]

describe('a hedged document', () => {
  it.each(documents)('[NEXT-102] [NEXT-103] with $steps', async ({ steps, attempts, end, log }) => {
    const scene = hedgedStage(whole)
    await scene.play(...steps)
    expect(scene.log).toEqual(log)
    expect(scene.attempts()).toEqual(attempts)
    expect(endOf(scene.outcomes)).toEqual(end)
    expect(scene.settled.reply).toEqual({
      kind: 'document',
      headers: { 'x-params-ignored': expect.any(String) },
      body: 'cost 5',
    })
  })

  it('[NEXT-103] is the first one if both arrive at once, and charged once', async () => {
    const scene = hedgedStage(whole)
    await scene.play('late')
    scene.act('two completes')
    scene.act('one completes')
    await turn()
    expect(endOf(scene.outcomes)).toEqual(['two charged'])
    expect(scene.attempts()).toEqual(['one hedge_lost', 'two answered'])
    expect(scene.settled.reply).toMatchObject({ kind: 'document', headers: { 'x-params-ignored': 'of_two' } })
  })
})

function openCircuit({ deps }: ReturnType<typeof hedgedStage>, candidate: Candidate): void {
  for (let failure = 0; failure < 5; failure += 1) {
    deps.health.failed(candidate, { payer: testPayer, reason: 'upstream_unavailable' })
  }
}

const named = (id: string, change: Partial<Candidate>): Candidate => ({
  ...two,
  ...change,
  account: { ...two.account, id, name: id },
})

describe('a second provider', () => {
  const other = { ...one.model, id: 'acme/other' }

  it.each<[string, readonly Candidate[]]>([
    ['another model', [one, named('other', { model: other })]],
    ["an organization's own key", [one, named('own', { billing: 'own_key' })]],
    ['a free offer', [one, named('free', { billing: 'free' })]],
    ['the same account', [one, { ...one }]],
    ['beside an own key', [{ ...one, billing: 'own_key' }, two]],
  ])('[NEXT-104] is not %s', async (_what, candidates) => {
    const scene = hedgedStage({ candidates })
    await scene.play()
    expect(scene.timers).toEqual([])
    expect(scene.log).toEqual(['ask one'])
    expect(scene.budget).toEqual({ earned: 1, has: true, spent: 0 })
  })

  it.each([
    ['an image', { ...call, media: { task: { kind: 'image' } } as never }],
    ['speech', { ...call, media: { task: { kind: 'speech' } } as never }],
  ])('[NEXT-104] is not asked for %s', async (_what, asked) => {
    const scene = hedgedStage({ call: asked })
    await scene.play()
    expect(scene.timers).toEqual([])
  })

  it('[NEXT-104] is asked after the time that the client states', async () => {
    const scene = hedgedStage({ hedgeAfter: 300 })
    await scene.play()
    expect(scene.timers).toMatchObject([{ ms: 300 }])
    expect(scene.log).toEqual(['ask one'])
  })

  it.each([
    [700, 700],
    [3, 50],
  ])('[NEXT-106] is asked after the measured time: of %d ms after %d ms', async (slowMs, waitMs) => {
    const asked: unknown[] = []
    const scene = hedgedStage({ hedgeAfter: 'auto' })
    const slow = (candidate: Candidate, streamed: boolean): number => {
      asked.push([candidate.account.name, streamed])
      return slowMs
    }
    scene.deps.hedging = { ...scene.deps.hedging, slowMs: slow }
    await scene.play()
    expect(scene.timers).toMatchObject([{ ms: waitMs }])
    expect(asked).toEqual([['one', true]])
  })

  it('[NEXT-106] is not called without measurements', async () => {
    const scene = hedgedStage({ hedgeAfter: 'auto' })
    await scene.play()
    expect(scene.timers).toEqual([])
    expect(scene.log).toEqual(['ask one'])
  })

  it('[NEXT-104] is one whose circuit is closed', async () => {
    const scene = hedgedStage({ candidates: [one, two, three] })
    openCircuit(scene, two)
    await scene.play('late', 'three opens')
    expect(scene.attempts()).toEqual(['one hedge_lost', 'three answered'])
    expect(scene.budget.spent).toBe(1)
  })

  it('[NEXT-104] is not called and uses no hedge while all circuits are open', async () => {
    const scene = hedgedStage()
    openCircuit(scene, two)
    await scene.play('late', 'one opens', 'one ends')
    expect(scene.log).toEqual(['ask one', 'timer over', 'one answered'])
    expect(scene.budget.spent).toBe(0)
  })

  it('[NEXT-107] is not asked beyond the budget', async () => {
    const scene = hedgedStage()
    scene.budget.has = false
    await scene.play('late', 'one opens', 'one ends')
    expect(scene.log).toEqual(['ask one', 'timer over', 'count over_budget', 'one answered'])
    expect(scene.budget.spent).toBe(0)
  })

  it('[NEXT-104] is one that the hold covers', async () => {
    // The hold is for 1,024 tokens at 0.000002 USD.
    const price = { ...two.price, base: parseUnitPrices({ prompt: '0.000001', completion: '0.0000021' }) }
    const scene = hedgedStage({ candidates: [one, named('dear', { price }), three] })
    await scene.play('late', 'three opens')
    expect(scene.attempts()).toEqual(['one hedge_lost', 'three answered'])
  })

  it('[NEXT-104] is never a provider that has failed, and is not called a second time', async () => {
    const scene = hedgedStage({ candidates: [one, two, three] })
    await scene.play('one fails', 'late', 'three fails', 'two fails')
    expect(scene.log).toEqual(['ask one', 'timer over', 'ask two', 'timer over', 'ask three', 'count failed'])
    expect(scene.settled.error?.errorName).toBe('upstreamUnreachable')
    expect(endOf(scene.outcomes)).toEqual(['two upstream_failed'])
  })

  it('[NEXT-107] is asked once: later candidates are asked alone', async () => {
    const four = named('three', {})
    const scene = hedgedStage({ candidates: [one, two, four, named('four', {})] })
    await scene.play('late', 'two fails', 'one fails')
    expect(scene.log).toEqual(['ask one', 'timer over', 'ask two', 'count failed', 'ask three'])
    expect(scene.timers).toEqual([])
  })

  it('[NEXT-104] is not asked once a comment has opened the stream', async () => {
    const scene = hedgedStage()
    await scene.play('comment', 'late')
    expect(scene.log).toEqual(['ask one', 'timer over'])
  })

  it('[NEXT-104] is not asked for a client that has left', async () => {
    const scene = hedgedStage()
    await scene.play('leave', 'late')
    expect(scene.log).toEqual(['ask one', 'cancel one', 'unbilled one', 'timer over'])
  })

  it('[NEXT-104] is not asked for a conversation with a model of images', async () => {
    const model = { ...one.model, kind: 'image' as const }
    const scene = hedgedStage({
      candidates: [
        { ...one, model },
        { ...two, model },
      ],
    })
    await scene.play()
    expect(scene.timers).toEqual([])
  })

  it('[NEXT-107] does not count as over budget if it does not exist', async () => {
    const scene = hedgedStage({ candidates: [one, two] })
    scene.budget.has = false
    scene.ticket.heldAmount = nanoUsd(0n)
    await scene.play('late', 'one opens')
    expect(scene.log).toEqual(['ask one', 'timer over', 'one answered'])
  })

  it('[NEXT-104] shows as a probe whether its upstream has recovered', async () => {
    const scene = hedgedStage()
    openCircuit(scene, two)
    scene.clock.nowMs += 30_000
    await scene.play('late')
    expect(scene.deps.health.newsOf([two])).not.toBeNull()
    scene.act('two opens')
    await turn()
    expect(scene.attempts()).toEqual(['one hedge_lost', 'two answered'])
    expect(scene.deps.health.newsOf([two])).toBeNull()
  })
})
