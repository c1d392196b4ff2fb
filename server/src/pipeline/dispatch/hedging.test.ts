import { expect, it } from 'vitest'
import { one } from '#test/streams/dispatch-stage.ts'
import { hedgedStage } from '#test/streams/hedged-stage.ts'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'
import { createHedging } from './hedging.ts'

function stage() {
  const told: unknown[] = []
  const hedging = createHedging({
    budget: {
      earn: () => {},
      has: () => true,
      spend: () => {},
      paid: () => {},
      lost: (wallet, cost) => told.push(['lost', wallet, cost]),
    },
    measurements: {
      note: (sample) => told.push(sample),
      slowMs: ({ vendor, model }, streamed) => (told.push([vendor, model, streamed]), 700),
    },
    metrics: {
      hedges: { inc: ({ outcome }) => told.push(outcome) },
      hedgeUsd: { inc: (usd) => told.push(usd) },
    },
    pause: async () => {},
  })
  return { hedging, told }
}

const { call } = testTicket().plan

it('[NEXT-105] [NEXT-108] counts what a lost attempt was worth, and measures its silence', () => {
  const { hedging, told } = stage()
  // Ten prompt tokens at 1,000 nano-USD and three output tokens at 2,000.
  expect(hedging.noteLost(testTicket(), one, { latencyMs: 400, outputTokens: 3, wasLate: true })).toBe(16_000n)
  expect(told).toEqual([
    { vendor: 'openai', model: 'acme/model', latencyMs: 400, tokensPerSecond: null },
    ['lost', testPayer, 16_000n],
    0.000016,
  ])
})

it('[NEXT-106] [NEXT-108] measures whole answers apart from streams', () => {
  const { hedging, told } = stage()
  hedging.noteLost(testTicket({ call: { ...call, stream: false } }), one, {
    latencyMs: 400,
    outputTokens: 0,
    wasLate: true,
  })
  expect(told[0]).toEqual({
    vendor: 'openai',
    model: 'acme/model',
    latencyMs: null,
    tokensPerSecond: null,
    wholeMs: 400,
  })
  expect(hedging.slowMs(one, false)).toBe(700)
  expect(told.at(-1)).toEqual(['openai', 'acme/model', false])
})

it('[NEXT-108] does not measure a second attempt that hardly had time', () => {
  for (const stream of [true, false]) {
    const { hedging, told } = stage()
    const seen = { latencyMs: 5, outputTokens: 0, wasLate: false }
    const worth = hedging.noteLost(testTicket({ call: { ...call, stream } }), one, seen)
    expect(told).toEqual([['lost', testPayer, worth], expect.any(Number)])
  }
})

it('[NEXT-105] counts hedges by how they ended', () => {
  const { hedging, told } = stage()
  hedging.count('won')
  expect(told).toEqual(['won'])
})

it.each([
  [['late', 'two opens', 'two ends'], ['one']],
  [['late', 'one opens', 'one ends'], []],
  [['late', 'two is exhausted'], ['one']],
  [['late', 'leave'], []],
] as const)('[NEXT-108] with %j tells who was late: %j', async (steps, late) => {
  const scene = hedgedStage()
  await scene.play(...steps)
  expect(scene.late).toEqual(late)
})
