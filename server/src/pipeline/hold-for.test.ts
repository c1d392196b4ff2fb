import { describe, expect, it } from 'vitest'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Billing, Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { estimateFor, holdFor, leastTokensFor, tokensFor } from './hold-for.ts'

// A token of the plain price costs 1,000 nano-dollars in the prompt and 2,000 in the answer; the prompt has ten.
const plain = { prompt: '0.000001', completion: '0.000002' }

interface Special {
  prices?: Readonly<Record<string, string>>
  billing?: Billing
  model?: Partial<Model>
}

function candidateOf({ prices = plain, billing = 'charged', model = {} }: Special = {}): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const price = { id: 'price', base: parseUnitPrices(prices), tiers: [] }
  return { ...candidate, billing, price, model: { ...candidate.model, ...model } }
}

const callOf = (change: Partial<DialectCall> = {}): DialectCall => ({ ...testTicket().plan.call, ...change })

describe('what is held and what is estimated', () => {
  it('[HOLD-10] is held at the dearest prices, and estimated at the plain ones', () => {
    const prices = { ...plain, cache_write: '0.000003', reasoning: '0.000007', per_request: '0.00001' }
    const candidates = [candidateOf({ prices })]
    expect(holdFor(candidates, callOf(), 100)).toBe(30_000n + 700_000n + 10_000n)
    expect(estimateFor(candidates, callOf(), 100)).toBe(10_000n + 200_000n + 10_000n)
  })

  it.each([
    ['first', [9, 2, 3]],
    ['between others', [2, 9, 3]],
    ['last', [2, 3, 9]],
  ])('[HOLD-10] is that of the dearest candidate, which comes %s', (_place, outputs) => {
    const candidates = outputs.map((output) =>
      candidateOf({ prices: { prompt: '0.000001', completion: `0.00000${output}` } }),
    )
    expect(holdFor(candidates, callOf(), 100)).toBe(910_000n)
    expect(estimateFor(candidates, callOf(), 100)).toBe(910_000n)
  })

  it.each(['free', 'own_key', 'test'] as const)('leaves out candidates with the billing %s', (billing) => {
    const dear = candidateOf({ billing, prices: { prompt: '1', completion: '1' } })
    expect(holdFor([dear, candidateOf()], callOf(), 100)).toBe(210_000n)
    expect(estimateFor([dear, candidateOf()], callOf(), 100)).toBe(210_000n)
    expect(holdFor([dear], callOf(), 100)).toBe(0n)
    expect(leastTokensFor(nanoUsd(210_000n), callOf(), [dear, candidateOf()])).toBe(100)
  })

  it('counts the prompt as it is sent to each model: trimmed where its context is small', () => {
    const trims = new Map([['acme/model', { promptTokensEstimate: 3, promptTokensHeld: 4, keeps: [true] }]])
    expect(holdFor([candidateOf()], callOf({ trims }), 100)).toBe(4_000n + 200_000n)
    expect(estimateFor([candidateOf()], callOf({ trims }), 100)).toBe(4_000n + 200_000n)
    expect(tokensFor(nanoUsd(204_000n), callOf({ trims }), candidateOf())).toBe(100)
    expect(holdFor([candidateOf({ model: { id: 'acme/other' } })], callOf({ trims }), 100)).toBe(210_000n)
  })
})

describe('images that a conversation orders', () => {
  const prices = { ...plain, per_image_output: '0.04', per_image_input: '0.01' }

  it('are held and estimated by the piece, and for each after the first the prompt is told again', () => {
    const call = callOf({ imageCount: 3 })
    const images = 120_000_000n + 20_000n
    expect(holdFor([candidateOf({ prices })], call, 100)).toBe(210_000n + images)
    expect(estimateFor([candidateOf({ prices })], call, 100)).toBe(210_000n + images)
  })

  it('are shown the images of the prompt again for each', () => {
    const call = callOf({ imageCount: 2, shownImages: 3 })
    expect(holdFor([candidateOf({ prices })], call, 0)).toBe(10_000n + 80_000_000n + 10_000n + 60_000_000n)
  })

  it('are shown images of up to 4,194,304 pixels where pixels are priced', () => {
    const byPixels = { ...plain, per_image_output: '0.04', per_megapixel_input: '0.01' }
    const call = callOf({ imageCount: 2, shownImages: 3 })
    // Six of them are 25.165824 megapixels.
    expect(holdFor([candidateOf({ prices: byPixels })], call, 0)).toBe(10_000n + 80_000_000n + 10_000n + 251_658_240n)
  })

  it('are one for each choice of a model that makes images', () => {
    const model = { kind: 'image' } as const
    const call = callOf({ choiceCount: 2 })
    expect(holdFor([candidateOf({ prices, model })], call, 0)).toBe(10_000n + 80_000_000n + 10_000n)
    expect(holdFor([candidateOf({ prices })], call, 0)).toBe(10_000n)
  })

  it('are paid for before any word is', () => {
    const call = callOf({ imageCount: 1 })
    const candidate = candidateOf({ prices })
    expect(tokensFor(nanoUsd(40_000_000n + 210_000n), call, candidate)).toBe(100)
    expect(tokensFor(nanoUsd(40_000_000n), call, candidate)).toBe(0)
    expect(tokensFor(nanoUsd(39_999_999n), call, candidate)).toBe(0)
  })
})

const worst = (inputCharacters: number) => ({ ...noUsage, media: { inputCharacters } })

describe('media', () => {
  const task: MediaTask = { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} }
  const prices = { per_character: '0.000015' }

  it('are held and estimated for the most they may come to, whatever tokens are named', () => {
    const call = callOf({ media: { task, worst: worst(100) } })
    expect(holdFor([candidateOf({ prices })], call, 9_999)).toBe(1_500_000n)
    expect(estimateFor([candidateOf({ prices })], call, 9_999)).toBe(1_500_000n)
  })

  it('are held for what the model makes of the task where its limits decide', () => {
    const fitTo = (model: Model) => ({ task, worst: worst(model.id === 'acme/model' ? 200 : 300) })
    const call = callOf({ media: { task, worst: worst(100), fitTo } })
    expect(holdFor([candidateOf({ prices })], call, 0)).toBe(3_000_000n)
    expect(estimateFor([candidateOf({ prices })], call, 0)).toBe(3_000_000n)
  })
})

describe('the tokens that an amount covers', () => {
  it.each([
    [0n, 0],
    [9_999n, 0],
    [10_000n, 0],
    [11_999n, 0],
    [12_000n, 1],
    [210_000n, 100],
  ])('%i nano-dollars: %i', (amount, tokens) => {
    expect(tokensFor(nanoUsd(amount), callOf(), candidateOf())).toBe(tokens)
  })

  it('are those of whichever candidate gives the fewest', () => {
    const dear = candidateOf({ prices: { prompt: '0.000001', completion: '0.000004' } })
    expect(leastTokensFor(nanoUsd(210_000n), callOf(), [candidateOf(), dear])).toBe(50)
    expect(leastTokensFor(nanoUsd(210_000n), callOf(), [dear, candidateOf()])).toBe(50)
  })
})
