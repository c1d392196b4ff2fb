import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import { chargeFor } from '#domain/money/charge.ts'
// Not an expectation: the units that a random list may price.
import { type PriceList, parsePriceRules, parseUnitPrices, priceUnits } from '#domain/money/price-list.ts'
import { heldPrices } from '#domain/money/tier-prices.ts'
import { worstWords } from '#domain/money/worst-words.ts'
import { assert } from '#lib/assert.ts'
import { mediaCase, usageOf as mediaUsageOf } from '../media/money/arbitrary-media.ts'
import { exactUsd, type OracleList, roundedUpNano } from '../media/money/oracle.ts'
import { exactWordsUsd, type WordsUse } from './words-oracle.ts'

const file = new URL('../../catalogue/starter.json', import.meta.url)
const parsed = parseCatalogueFile(JSON.parse(readFileSync(file, 'utf8')))
assert(parsed.accepted, 'the starter catalogue is accepted')
const { rows } = parsed

function starterLists(kinds: readonly CatalogueRow['kind'][]): OracleList[] {
  return rows
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((row) => row.prices)
    .map(({ units, tiers, rules = [] }) => ({
      base: units,
      tiers: tiers.map((tier) => ({ above: tier.abovePromptTokens, prices: tier.units })),
      rules,
    }))
}

const chatLists = starterLists(['chat'])

const inputs = ['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput']
const outputs = ['textOutput', 'reasoningOutput', 'imageOutput', 'audioOutput']

const counts = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 400_000 }))
const use: fc.Arbitrary<WordsUse> = fc
  .record({
    tokens: fc.record(Object.fromEntries([...inputs, ...outputs].map((name) => [name, counts]))),
    webSearches: fc.oneof(fc.constant(0), fc.nat(50)),
    citationTokens: fc.oneof(fc.constant(0), counts),
    cachedAudioTokens: fc.oneof(fc.constant(0), counts),
    contextSize: fc.constantFrom(null, 'low', 'high'),
    tier: fc.constantFrom(null, 'flex' as const, 'priority' as const),
  })
  .map((any) => ({ ...any, cachedAudioTokens: Math.min(any.cachedAudioTokens, any.tokens.cacheRead ?? 0) }))

const usd = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.nat({ max: 9 }))
  .map(([digits, shift]) => `0.${'0'.repeat(shift)}${digits}`)
const price = fc.oneof({ weight: 1, arbitrary: fc.constant('0') }, { weight: 9, arbitrary: usd })
const wordUnits = priceUnits.filter((unit) => !/^per_(?!request$|search$)|^image_input|^video_/.test(unit))
const prices = fc.dictionary(fc.constantFrom(...wordUnits), price, { maxKeys: wordUnits.length })
const rule = fc.record({
  unit: fc.constantFrom('web_search', 'per_search', 'citation_token'),
  usd: price,
  when: fc.constantFrom({ search_context_size: 'low' }, { search_context_size: 'high' }),
})
function listsWith(units: fc.Arbitrary<Record<string, string>>): fc.Arbitrary<OracleList> {
  const tier = fc.record({ above: counts, prices: units })
  return fc.record({
    base: units,
    tiers: fc
      .uniqueArray(tier, { maxLength: 3, selector: ({ above }) => above })
      .map((tiers) => tiers.toSorted((one, other) => one.above - other.above)),
    rules: fc.array(rule, { maxLength: 4 }),
  })
}

const anyList = listsWith(prices)
/** A list without these two prices cannot serve a conversation. */
const completeList = listsWith(
  fc.tuple(price, price, prices).map(([prompt, completion, rest]) => ({ prompt, completion, ...rest })),
)

describe('[MONEY-04] a charge is what fractions come to, rounded up once', () => {
  it('for every list of the starter catalogue for conversations, below and above each of its thresholds', () => {
    const uses = fc.sample(use, { numRuns: 6, seed: 7 })
    for (const list of chatLists) {
      const charged = listOf(list)
      for (const each of [...uses, ...list.tiers.flatMap(({ above }) => [wordsOf(above), wordsOf(above + 1)])]) {
        for (const tier of [null, 'flex', 'priority'] as const) expectExact({ ...each, tier }, list, charged)
      }
    }
  })

  it('for every list of the starter catalogue for embeddings, images and audio', () => {
    const uses = fc.sample(mediaCase, { numRuns: 20, seed: 7 }).map((each) => each.use)
    for (const list of starterLists(['embedding', 'image', 'transcription', 'speech'])) {
      const charged = listOf(list)
      for (const each of uses) {
        const cost = roundedUpNano(exactUsd(each, list))
        if (chargeFor(mediaUsageOf(each), charged).cost !== cost) expect.fail(JSON.stringify({ each, list }))
      }
    }
  })

  it('for any list, whatever was charged by it before', () => {
    const cases = fc.tuple(anyList, fc.array(use, { minLength: 1, maxLength: 4 }))
    fc.assert(
      fc.property(cases, ([list, uses]) => {
        const charged = listOf(list)
        for (const each of uses) expectExact(each, list, charged)
      }),
      { numRuns: 500 },
    )
  })
})

it('[HOLD-10] a hold covers the charge, and is the same for a list that is used for the first time', () => {
  const cases = fc.tuple(
    fc.oneof(completeList, fc.constantFrom(...chatLists)),
    fc.array(use, { minLength: 1, maxLength: 4 }),
  )
  fc.assert(
    fc.property(cases, ([list, uses]) => {
      const known = listOf(list)
      for (const each of uses) {
        const { tokens, webSearches, citationTokens } = each
        const sum = (names: readonly string[]) => names.reduce((total, name) => total + (tokens[name] ?? 0), 0)
        const words = {
          prompt: sum(inputs),
          completion: sum(outputs),
          searches: { webSearches, citationTokens, promptTokens: 0, isTold: true },
        }
        const tier = each.tier ?? undefined
        const held = worstWords(words, heldPrices(known, tier))
        expect(held).toBe(worstWords(words, heldPrices(listOf(list), tier)))
        if (isSoldIn(list, each.tier)) expect(held).toBeGreaterThanOrEqual(chargeFor(usageOf(each), known).cost)
      }
    }),
    { numRuns: 500 },
  )
})

/** Only a tier with both prices can be requested, and only a requested tier is charged. */
function isSoldIn({ base }: OracleList, tier: WordsUse['tier']): boolean {
  return tier === null || (base[`${tier}_prompt`] !== undefined && base[`${tier}_completion`] !== undefined)
}

function expectExact(each: WordsUse, list: OracleList, charged: PriceList): void {
  const exact = roundedUpNano(exactWordsUsd(each, list))
  const { cost } = chargeFor(usageOf(each), charged)
  // An assertion for each of many thousands would take seconds.
  if (cost !== exact) expect.fail(`${cost} is not ${exact}: ${JSON.stringify({ each, list })}`)
}

function wordsOf(prompt: number): WordsUse {
  const tokens = { uncachedInput: prompt - 1, cacheRead: 1, textOutput: 10, reasoningOutput: 7 }
  return { tokens, webSearches: 0, citationTokens: 0, cachedAudioTokens: 0, contextSize: null, tier: null }
}

function usageOf({ tokens, webSearches, citationTokens, cachedAudioTokens, contextSize, tier }: WordsUse): Usage {
  const variant = {
    ...(contextSize === null ? {} : { search_context_size: contextSize }),
    ...(tier === null ? {} : { service_tier: tier }),
  }
  const media: MediaUsage = {
    ...(webSearches === 0 ? {} : { webSearches }),
    ...(citationTokens === 0 ? {} : { citationTokens }),
    ...(cachedAudioTokens === 0 ? {} : { cachedAudioTokens }),
    ...(Object.keys(variant).length === 0 ? {} : { variant }),
  }
  return { ...noUsage, ...tokens, ...(Object.keys(media).length === 0 ? {} : { media }) }
}

function listOf({ base, tiers, rules }: OracleList): PriceList {
  const stated = rules.map(({ unit, ...rest }) => {
    const known = priceUnits.find((each) => each === unit)
    assert(known !== undefined, `${unit} is a unit`)
    return { ...rest, unit: known }
  })
  return {
    id: 'p',
    base: parseUnitPrices(base),
    tiers: tiers.map(({ above, prices: units }) => ({ abovePromptTokens: above, prices: parseUnitPrices(units) })),
    ...parsePriceRules(stated),
  }
}
