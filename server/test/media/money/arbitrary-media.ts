import * as fc from 'fast-check'
import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import { type PriceList, parsePriceRules, parseUnitPrices, type PriceUnit } from '#domain/money/price-list.ts'
import type { OracleList, OracleUse } from './oracle.ts'

/** Any upstream usage and any catalogue price, in the formats of the code and of the oracle. */
interface MediaCase {
  readonly use: OracleUse
  readonly list: OracleList
}

const counts = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 50_000_000 }))

export const tokenNames = ['uncachedInput', 'cacheRead', 'audioInput', 'textOutput', 'imageOutput'] as const
export const mediaNames = [
  'outputImages',
  'outputPixels',
  'inputImages',
  'inputPixels',
  'inputImageTokens',
  'inputCharacters',
  'inputAudioMs',
  'webSearches',
  'searchUnits',
  'citationTokens',
] as const

const pieceUnits = [
  'image_output_token',
  'image_input_token',
  'audio_input',
  'per_image_output',
  'per_megapixel_output',
  'per_pixel_output',
  'per_image_input',
  'per_megapixel_input',
  'per_second_input',
  'per_character',
  'web_search',
  'per_search',
  'citation_token',
] as const satisfies PriceUnit[]
const units = ['prompt', 'completion', 'cache_read', 'per_request', ...pieceUnits] as const

const usd = fc
  .tuple(fc.constantFrom('0', '0', '0', '1', '12'), fc.integer({ min: 0, max: 999_999_999 }), fc.nat({ max: 9 }))
  .map(([whole, digits, shift]) => `${whole}.${'0'.repeat(shift)}${digits}`)
const price = fc.oneof({ weight: 1, arbitrary: fc.constant('0') }, { weight: 9, arbitrary: usd })

const prices = fc
  .array(fc.tuple(fc.constantFrom(...units), price), { maxLength: 10 })
  .map((pairs): Record<string, string> => Object.fromEntries(pairs))

const values = fc.constantFrom('low', 'high')
const variant = fc
  .tuple(fc.option(values), fc.option(values), fc.option(values))
  .map(([quality, size, resolution]) => named({ quality, size, resolution }))

const rules = fc.array(
  fc.record({ unit: fc.constantFrom(...pieceUnits), usd: price, when: variant }).filter(({ when }) => {
    return Object.keys(when).length > 0
  }),
  { maxLength: 6 },
)

const list: fc.Arbitrary<OracleList> = fc
  .tuple(prices, fc.option(fc.tuple(counts, prices)), rules)
  .map(([base, tier, ruled]) => ({
    base,
    tiers: tier === null ? [] : [{ above: tier[0], prices: tier[1] }],
    rules: ruled,
  }))

const use: fc.Arbitrary<OracleUse> = fc.record({
  tokens: countsOf(tokenNames),
  media: countsOf(mediaNames),
  variant,
})

export const mediaCase: fc.Arbitrary<MediaCase> = fc.record({ use, list })

export function usageOf({ tokens, media, variant: chosen }: OracleUse): Usage {
  const counted: MediaUsage = { ...media, variant: chosen }
  return { ...noUsage, ...tokens, media: counted }
}

export function listOf({ base, tiers, rules: ruled }: OracleList): PriceList {
  const stated = ruled.map(({ unit, usd: amount, when }) => ({ unit: unitOf(unit), usd: amount, when }))
  return {
    id: 'p1',
    base: parseUnitPrices(base),
    tiers: tiers.map((tier) => ({ abovePromptTokens: tier.above, prices: parseUnitPrices(tier.prices) })),
    ...parsePriceRules(stated),
  }
}

function unitOf(name: string): PriceUnit {
  const unit = units.find((each) => each === name)
  if (unit === undefined) throw new Error(`no unit: ${name}`)
  return unit
}

function countsOf(names: readonly string[]): fc.Arbitrary<Record<string, number>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, counts])))
}

function named(given: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
