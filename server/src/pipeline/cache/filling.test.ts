import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { type NanoUsd, nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { UpstreamHandler } from '#ports/upstream.ts'
import { createBeginExchange } from '#pipeline/dispatch/begin-exchange.ts'
import { one } from '#test/streams/dispatch-stage.ts'
import { hedgedStage, turn } from '#test/streams/hedged-stage.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { AnswerListener, Judged, Ticket } from '../types.ts'
import { Filling } from './filling.ts'
import { KeptAnswer } from './kept-answer.ts'

const usage = { ...noUsage, textOutput: 3 }
const answer = { usage, finishReason: 'stop', nativeFinishReason: 'end' }
const slotId = '01990000-aaaa-7bbb-8ccc-ddddeeeeffff' as Uuid
const reader = { generationId: '01991111-2222-7333-8444-555566667777' as Uuid, createdS: 1_800_000_000 }

function withDetails(cost: NanoUsd, details: object): string {
  return JSON.stringify({ cost: usdJson(cost), cost_details: details, tokens: 3 })
}

/** Records what is kept: who answered, and what a request gets that costs a nano-dollar. */
function newFilling({ answerBytesMax = 1_000 } = {}) {
  const log: string[] = []
  const kept: KeptAnswer[] = []
  const filling = new Filling({
    answers: {
      fill: async (_slot, { bytes, ttlMs, walletBytesMax }) => {
        expect([ttlMs, walletBytesMax]).toEqual([1_000, 10_000])
        const found = new KeptAnswer(slotId, bytes)
        kept.push(found)
        log.push(`${found.facts.server.account}: ${found.for(reader).end(nanoUsd(1n))}`)
      },
      refuse: async () => void log.push('refused'),
      forget: async () => void log.push('forgotten'),
    },
    slot: { id: slotId } as never,
    ttlMs: 1_000,
    answerBytesMax,
    walletBytesMax: 10_000,
    onError: (error) => void log.push(String(error)),
    onEnd: () => log.push('over'),
  })
  return { filling, log, kept }
}

const plain = testTicket({ isOpenEnded: false })

function answeredBy(change: object = {}, judged: object = {}): Judged {
  const outcome = { kind: 'answered', candidate: one, status: 200, answer, cancelled: false, ...change }
  return { outcome, refundReason: null, usageDoubted: false, absorbed: 0n, ...judged } as unknown as Judged
}

const withCall = (change: object): Ticket => ({
  ...plain,
  plan: { ...plain.plan, call: { ...plain.plan.call, ...change } },
})

const costJson = (cost: NanoUsd): string => JSON.stringify({ cost: usdJson(cost) })

describe('the answer of a request', () => {
  it('[NEXT-83] [NEXT-85] is kept as its client gets it, and written once', async () => {
    const { filling, log, kept } = newFilling()
    let writes = 0
    filling.wrote('one ')
    filling.wrote(Buffer.from('two '))
    const close = (cost: NanoUsd): Buffer => {
      writes += 1
      return Buffer.from(costJson(cost))
    }
    const end = filling.ending({ close, contentType: 'text/x', ignored: ['logit_bias'] })
    filling.settled(plain, answeredBy())
    expect(end(nanoUsd(5_000n))).toBe('{"cost":0.000005}')
    await turn()
    expect(log).toEqual([`${one.account.id}: one two {"cost":0.000000001}`, 'over'])
    expect(writes).toBe(1)
    const createdS = Math.floor(plain.arrival.receivedAtMs / 1_000)
    const told = {
      status: 200,
      contentType: 'text/x',
      ignored: ['logit_bias'],
      createdS,
      output: null,
      isCharged: true,
    }
    expect(kept[0]?.facts).toMatchObject({ ...told, ...answer })
    expect(end(nanoUsd(7_000n))).toBe('{"cost":0.000007}')
  })

  it('[NEXT-115] is kept without what the provider billed for an own key', async () => {
    const { filling, log } = newFilling()
    const billed = { upstream_inference_cost: usdJson(nanoUsd(9n)) }
    const close = (cost: NanoUsd): string =>
      withDetails(cost, billed) + withDetails(cost, { upstream_inference_cost: null })
    const end = filling.ending({ close, contentType: undefined, ignored: [] })
    filling.settled(plain, answeredBy({}, { refundReason: 'own_key' }))
    expect(end(nanoUsd(0n))).toContain('"cost_details":{"upstream_inference_cost":0.000000009}')
    await turn()
    expect(log[0]).toBe(`${one.account.id}: {"cost":0.000000001,"tokens":3}{"cost":0.000000001,"tokens":3}`)
  })

  it('[NEXT-85] is kept with the fact that it was free', async () => {
    const { filling, kept } = newFilling()
    filling.ending({ close: costJson, contentType: undefined, ignored: [] })
    const candidate = { ...one, billing: 'free' }
    filling.settled(plain, answeredBy({ candidate }, { refundReason: 'free_tier' }))
    await turn()
    expect(kept.map(({ facts }) => facts.isCharged)).toEqual([false])
  })

  it('keeps the output items that were noted with its end', async () => {
    const { filling, kept } = newFilling()
    const ticket = { ...plain }
    const close = (cost: NanoUsd): string => {
      ticket.output = [{ id: 'msg_1' }]
      return costJson(cost)
    }
    filling.ending({ close, contentType: undefined, ignored: [] })
    filling.settled(ticket, answeredBy())
    await turn()
    expect(kept[0]?.facts.output).toEqual([{ id: 'msg_1' }])
  })

  it('[NEXT-86] is refused if it is too long, with its end', async () => {
    for (const [bytes, outcome] of [
      [983, 'refused'],
      [900, 'kept'],
      [1_001, 'refused'],
    ] as const) {
      const { filling, log, kept } = newFilling()
      filling.wrote('a'.repeat(bytes))
      filling.wrote('')
      filling.ending({ close: costJson, contentType: undefined, ignored: [] })
      filling.settled(plain, answeredBy())
      await turn()
      expect([kept.length === 1 ? 'kept' : log[0], log.at(-1)]).toEqual([outcome, 'over'])
    }
  })

  const kept = [`${one.account.id}: {"cost":0.000000001}`, 'over']
  it.each([
    ['is complete', answeredBy(), plain, kept],
    ['calls tools', answeredBy({ answer: { ...answer, finishReason: 'tool_calls' } }), plain, kept],
    ['was not billed', answeredBy({}, { refundReason: 'not_billed' }), plain, kept],
    ['was free', answeredBy({}, { refundReason: 'free_tier' }), plain, kept],
    ['has no usage', answeredBy({}, { refundReason: 'no_usage' }), plain, ['refused', 'over']],
    ['misses usage', answeredBy({ answer: { ...answer, usage: null } }), plain, ['refused', 'over']],
    ['has doubtful usage', answeredBy({}, { usageDoubted: true }), plain, ['refused', 'over']],
    ['was not paid in full', answeredBy({}, { absorbed: 1n }), plain, ['refused', 'over']],
    ['is filtered', answeredBy({ answer: { ...answer, finishReason: 'content_filter' } }), plain, ['refused', 'over']],
    ['is cut off', answeredBy({ answer: { ...answer, finishReason: 'length' } }), plain, ['refused', 'over']],
    [
      'is cut off by its own cap',
      answeredBy({ answer: { ...answer, finishReason: 'length' } }),
      withCall({ maxTokens: 5 }),
      kept,
    ],
    [
      'is cut off by credit',
      answeredBy(),
      { ...plain, plan: { ...plain.plan, isOpenEnded: true }, payable: nanoUsd(1_000_000n) },
      ['refused', 'over'],
    ],
    ['is an embedding', answeredBy({ answer: { ...answer, finishReason: null } }), withCall({ media: {} }), kept],
    ['has no end', answeredBy({ answer: { ...answer, finishReason: null } }), plain, ['refused', 'over']],
    ['was cancelled', answeredBy({ cancelled: true }), plain, ['forgotten', 'over']],
    ['was refunded', answeredBy({ kind: 'refunded', reason: 'upstream_failed' }), plain, ['forgotten', 'over']],
  ])('[NEXT-86] that %s', async (_name, judged, ticket, log) => {
    const filled = newFilling()
    filled.filling.ending({ close: costJson, contentType: undefined, ignored: [] })
    filled.filling.settled(ticket, judged)
    filled.filling.released()
    // Whatever comes later changes nothing.
    filled.filling.wrote('late')
    filled.filling.settled(ticket, answeredBy())
    await turn()
    expect(filled.log).toEqual(log)
  })

  it('[NEXT-84] is forgotten if the request ends before its settle', async () => {
    const { filling, log } = newFilling()
    filling.released()
    await turn()
    expect(log).toEqual(['forgotten', 'over'])
    filling.forget()
    await turn()
    expect(log).toHaveLength(2)
    const endless = newFilling()
    endless.filling.settled(plain, answeredBy())
    await turn()
    expect(endless.log).toEqual(['forgotten', 'over'])
  })
})

/** A hedged request that fills the cache, whose two upstreams do what a test says. */
async function hedgedFilling() {
  const { filling, log } = newFilling()
  const handlers = new Map<string, UpstreamHandler>()
  const open = (name: string) => ({
    open: (_request: unknown, handler: UpstreamHandler) => {
      handlers.set(name, handler)
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
  })
  const begin = (name: string) =>
    createBeginExchange({
      upstreams: open(name),
      prepare: () => ({ request: {} as never, ignored: [] }),
      makeReader: (_ticket, _candidate, _type, listener) => passOn(listener),
      readFailure: () => () => expect.fail('no upstream refuses'),
    })
  const scene = hedgedStage(
    {},
    {
      begin: (ticket, candidate, watcher) => begin(candidate.account.name)(ticket, candidate, watcher),
      settle: async (ticket, outcome) => {
        filling.settled(ticket, { outcome, refundReason: null, usageDoubted: false, absorbed: 0n } as unknown as Judged)
        filling.released()
        return nanoUsd(5n)
      },
    },
  )
  const { ticket } = scene
  scene.start({ ...ticket, arrival: { ...ticket.arrival, filling } })
  await turn()
  scene.act('late')
  await turn()
  const upstream = (name: string): UpstreamHandler => {
    const handler = handlers.get(name)
    assert(handler !== undefined, 'the upstream was asked')
    return handler
  }
  const [first, second] = [upstream('one'), upstream('two')]
  for (const handler of [first, second]) handler.headers(200, { 'content-type': 'text/event-stream' })
  return { log, first, second }
}

/** Passes on what an upstream sends, and ends with the cost. */
function passOn(listener: AnswerListener) {
  return {
    data: (bytes: Buffer) => {
      listener.opened()
      listener.bytes(bytes)
    },
    end: () => listener.done(answer, costJson),
    fail: () => null,
    outputTokensEstimate: 1,
    finalAnswer: null,
  }
}

describe('the answer of a hedged request', () => {
  it('[NEXT-86] is kept of the leg that won, whichever was asked last', async () => {
    const { log, first, second } = await hedgedFilling()
    first.data(Buffer.from('of one '))
    second.data(Buffer.from('of two '))
    first.end()
    await turn()
    expect(log).toEqual(['one: of one {"cost":0.000000001}', 'over'])
  })

  it('[NEXT-86] is kept although the other leg is cancelled before the connection of the first has ended', async () => {
    const { log, first, second } = await hedgedFilling()
    second.data(Buffer.from('of two '))
    first.failed({ kind: 'broken', message: 'reset' })
    await turn()
    expect(log).toEqual([])
    second.end()
    await turn()
    expect(log).toEqual(['two: of two {"cost":0.000000001}', 'over'])
  })

  it('[NEXT-86] is forgotten if the connection of the leg that won breaks', async () => {
    const { log, first } = await hedgedFilling()
    first.data(Buffer.from('of o'))
    first.failed({ kind: 'broken', message: 'reset' })
    await turn()
    expect(log).toEqual(['forgotten', 'over'])
  })
})
