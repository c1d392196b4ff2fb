import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchAllowance } from '#domain/inference/search-allowance.ts'
import { noUsage, withSearches } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { inputClasses, outputClasses } from './class-price.ts'
import { nanoUsd } from './nano-usd.ts'
import { type PriceList, type PriceRule, parseUnitPrices, type UnitPrices } from './price-list.ts'
import { formatUnitPrice, parseUnitPrice, type UnitPrice } from './unit-price.ts'
import { affordableOutput, worstWords } from './worst-words.ts'

const count = fc.nat(300_000)
const price: fc.Arbitrary<UnitPrice> = fc
  .bigInt({ min: 0n, max: 10n ** 14n })
  .map((units) => parseUnitPrice(formatUnitPrice(units)))
const units: fc.Arbitrary<UnitPrices> = fc.record(
  {
    prompt: price,
    completion: price,
    cache_read: price,
    cache_write: price,
    cache_write_1h: price,
    audio_input: price,
    reasoning: price,
    audio_output: price,
    image_output_token: price,
    per_request: price,
    web_search: price,
    per_search: price,
    citation_token: price,
  },
  { requiredKeys: ['prompt', 'completion'] },
)
const contextSizes = fc.constantFrom('low', 'medium', 'high')
const rules: fc.Arbitrary<PriceRule[]> = fc.array(
  fc.record({
    unit: fc.constantFrom('web_search' as const, 'per_search' as const, 'citation_token' as const),
    price,
    when: contextSizes.map((size) => ({ search_context_size: size })),
  }),
  { maxLength: 3 },
)
const list: fc.Arbitrary<PriceList> = fc
  .tuple(units, fc.array(fc.record({ abovePromptTokens: count, prices: units }), { maxLength: 2 }), rules)
  .map(([base, tiers, ruled]) => ({
    id: 'p',
    base,
    tiers: tiers.toSorted((one, other) => one.abovePromptTokens - other.abovePromptTokens),
    rules: ruled,
  }))
const searches: fc.Arbitrary<SearchAllowance> = fc.record({
  webSearches: fc.nat(1_000),
  citationTokens: count,
  promptTokens: count,
  isTold: fc.boolean(),
})
/** The share of each class in the whole. */
const shares = (length: number) => fc.array(fc.nat(100), { minLength: length, maxLength: length })

describe('what is held for words', () => {
  it('[B3] [HOLD-10] covers every answer within its tokens, whichever class they are counted in', () => {
    fc.assert(
      fc.property(
        list,
        count,
        count,
        shares(inputClasses.length),
        shares(outputClasses.length),
        (prices, prompt, completion, inputs, outputs) => {
          const usage = {
            ...noUsage,
            ...spread(inputClasses, inputs, prompt),
            ...spread(outputClasses, outputs, completion),
          }
          expect(chargeFor(usage, prices).cost).toBeLessThanOrEqual(worstWords({ prompt, completion }, prices))
        },
      ),
    )
  })

  it('[M1] [M2] [I8] covers every answer within its searches, whatever they quote and however much of it they read', () => {
    fc.assert(
      fc.property(
        fc.record({ prices: list, prompt: count, completion: count, allowed: searches, size: contextSizes }),
        shares(4),
        ({ prices, prompt, completion, allowed, size }, [searched = 0, quoted = 0, read = 0, said = 0]) => {
          const usage = withSearches(
            {
              ...noUsage,
              uncachedInput: prompt + part(allowed.promptTokens, read),
              textOutput: part(completion, said),
            },
            {
              webSearches: part(allowed.webSearches, searched),
              citationTokens: part(allowed.citationTokens, quoted),
              contextSize: size,
            },
          )
          const held = worstWords({ prompt, completion, searches: allowed }, prices)
          expect(chargeFor(usage, prices).cost).toBeLessThanOrEqual(held)
        },
      ),
    )
  })

  it('[I8] covers a prompt that is read again, once written to a cache and otherwise as plain input', () => {
    fc.assert(
      fc.property(list, fc.tuple(count, count, count), fc.constantFrom(...inputClasses), (prices, tokens, first) => {
        const [prompt, reread, completion] = tokens
        const read = { ...noUsage, [first]: prompt, textOutput: completion }
        const usage = { ...read, uncachedInput: read.uncachedInput + reread }
        expect(chargeFor(usage, prices).cost).toBeLessThanOrEqual(worstWords({ prompt, reread, completion }, prices))
      }),
    )
  })

  it('[P21] the affordable tokens are affordable, and one more is not', () => {
    fc.assert(
      fc.property(list, count, searches, fc.bigInt({ min: 0n, max: 10n ** 12n }), (prices, prompt, allowed, room) => {
        const input = { prompt, searches: allowed }
        fc.pre(worstWords({ ...input, completion: 0 }, prices) <= room)
        const completion = affordableOutput(nanoUsd(room), input, prices)
        expect(worstWords({ ...input, completion }, prices) <= room || completion === Number.MAX_SAFE_INTEGER).toBe(
          true,
        )
        expect(worstWords({ ...input, completion: completion + 1 }, prices) > room || completion > 10 ** 15).toBe(true)
      }),
    )
  })
})

const tiered: PriceList = {
  id: 'p',
  base: parseUnitPrices({ prompt: '0.000001', cache_write: '0.000002', completion: '0.000003', reasoning: '0.000005' }),
  tiers: [
    {
      abovePromptTokens: 100,
      prices: parseUnitPrices({
        prompt: '0.000001',
        audio_output: '0.000007',
        completion: '0',
        per_request: '0.00001',
      }),
    },
  ],
}
const searching: PriceList = {
  id: 'p',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0', web_search: '0.005', citation_token: '0.000002' }),
  tiers: [
    { abovePromptTokens: 100, prices: parseUnitPrices({ prompt: '0.000003', completion: '0', web_search: '0.007' }) },
  ],
}
const allowance = { webSearches: 10, citationTokens: 50, promptTokens: 0, isTold: true }
const free: PriceList = { id: 'p', base: parseUnitPrices({ prompt: '0.000001', completion: '0' }), tiers: [] }

it.each([
  ['the dearest class of input and of output', tiered, { prompt: 100, completion: 10 }, 250_000n],
  ['the dearest tier that the prompt reaches, for each of them', tiered, { prompt: 101, completion: 10 }, 282_000n],
  ['nothing where nothing has a price', { id: 'p', base: {}, tiers: [] }, { prompt: 9, completion: 9 }, 0n],
  [
    'all searches and quoted tokens',
    searching,
    { prompt: 100, completion: 9, searches: allowance },
    100_000n + 50_000_000n + 100_000n,
  ],
  [
    'quoted tokens where nothing is searched for',
    searching,
    { prompt: 100, completion: 9, searches: { ...allowance, webSearches: 0 } },
    100_000n + 100_000n,
  ],
  [
    'any search where those of the web have no price',
    { id: 'p', base: parseUnitPrices({ per_search: '0.003' }), tiers: [] },
    { prompt: 100, completion: 9, searches: allowance },
    30_000_000n,
  ],
  [
    'the tier that what is read of them reaches',
    searching,
    { prompt: 100, completion: 9, searches: { ...allowance, promptTokens: 1 } },
    303_000n + 70_000_000n + 100_000n,
  ],
])('[HOLD-10] words are held for at %s', (_, prices, tokens, held) => {
  // A copy, because the highest prices of a list are memoized.
  expect(worstWords(tokens, { ...prices })).toBe(held)
})

it.each<[string, PriceList, number, bigint, number]>([
  ['what the prompt leaves', tiered, 100, 250_000n, 10],
  ['whole tokens only', tiered, 100, 254_999n, 10],
  ['one more where it is enough', tiered, 100, 255_000n, 11],
  ['what prompt and request leave', tiered, 101, 282_000n, 10],
  ['none where the prompt takes all', tiered, 100, 200_000n, 0],
  ['none where the prompt takes more', tiered, 100, 199_999n, 0],
  ['any number of what costs nothing', free, 100, 100_000n, Number.MAX_SAFE_INTEGER],
  ['none of what costs nothing where the prompt takes more', free, 100, 99_999n, 0],
  ['no more than can be counted', tiered, 0, 10n ** 30n, Number.MAX_SAFE_INTEGER],
])('[P21] an amount buys %s', (_, prices, promptTokens, amount, tokens) => {
  expect(affordableOutput(nanoUsd(amount), { prompt: promptTokens }, { ...prices })).toBe(tokens)
})

function part(whole: number, percent: number): number {
  return Math.floor((whole * percent) / 100)
}

/** Distributes tokens over the classes by their shares; the last class takes the remainder. */
function spread<Name extends string>(
  names: readonly Name[],
  parts: readonly number[],
  total: number,
): Partial<Record<Name, number>> {
  const spread: Partial<Record<Name, number>> = {}
  let left = total
  for (const [position, name] of names.entries()) {
    const taken = position === names.length - 1 ? left : Math.floor((left * (parts[position] ?? 0)) / 100)
    spread[name] = taken
    left -= taken
  }
  return spread
}

it.each([
  ['a short prompt before a long one', [100, 101], [250_000n, 282_000n]],
  ['a long prompt before a short one', [101, 100], [282_000n, 250_000n]],
])('[HOLD-10] %s of one list are each held for at their own tier', (_what, prompts, held) => {
  const one = { ...tiered }
  expect(prompts.map((prompt) => worstWords({ prompt, completion: 10 }, one))).toEqual(held)
})
