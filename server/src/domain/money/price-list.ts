import { parseUnitPrice, type UnitPrice } from './unit-price.ts'

/** The units that a catalogue may price; the names are those of the import file. */
export const priceUnits = [
  'prompt',
  'completion',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'audio_output',
  'reasoning',
  'image_input_token',
  'image_output_token',
  'per_request',
  'per_image_output',
  'per_image_input',
  'per_character',
  'per_second_input',
  'per_second_output',
  'per_second_output_1080p',
  'per_second_audio_input',
  'per_second_video_input',
  'per_megapixel_second_output',
  'per_request_minimum',
  'per_character_output',
  'per_megapixel_input',
  'per_megapixel_output',
  'per_pixel_output',
  'per_search',
  'web_search',
  'audio_cache_read',
  'video_output_token',
  'citation_token',
  'batch_prompt',
  'batch_completion',
  'flex_prompt',
  'flex_completion',
  'priority_prompt',
  'priority_completion',
] as const
export type PriceUnit = (typeof priceUnits)[number]

export type UnitPrices = Readonly<Partial<Record<PriceUnit, UnitPrice>>>

export interface PriceTier {
  /** This tier's prices apply to the whole request if its prompt is strictly longer than this. */
  readonly abovePromptTokens: number
  readonly prices: UnitPrices
}

/** A price of one unit for a variant of the request, such as a resolution or quality. */
export interface PriceRule {
  readonly unit: PriceUnit
  readonly price: UnitPrice
  readonly when: Readonly<Record<string, string>>
}

/** One version of a provider's price list for a model. */
export interface PriceList {
  readonly id: string
  readonly base: UnitPrices
  /** Ascending. */
  readonly tiers: readonly PriceTier[]
  /** Prices of variants; the most specific match overrides the base. Missing means none. */
  readonly rules?: readonly PriceRule[]
}

export function parseUnitPrices(units: Readonly<Record<string, string>>): UnitPrices {
  const prices: Partial<Record<PriceUnit, UnitPrice>> = {}
  for (const unit of priceUnits) {
    const text = units[unit]
    if (text !== undefined) prices[unit] = parseUnitPrice(text)
  }
  return prices
}

/** Returns nothing if there are none, as in most lists. */
export function parsePriceRules(
  stated: readonly { unit: PriceUnit; usd: string; when: Readonly<Record<string, string>> }[],
): { rules?: readonly PriceRule[] } {
  if (stated.length === 0) return {}
  return { rules: stated.map(({ unit, usd, when }) => ({ unit, price: parseUnitPrice(usd), when })) }
}

/** A count equal to a threshold still has the lower tier's prices. */
export function pricesFor(list: PriceList, promptTokens: number): UnitPrices {
  let prices = list.base
  for (const tier of list.tiers) {
    if (promptTokens > tier.abovePromptTokens) prices = tier.prices
  }
  return prices
}

/** The kind of output of a request, which a list must price. */
export type PricedKind =
  | 'text'
  | 'embedding'
  | 'image'
  | 'moderation'
  | 'realtime'
  | 'rerank'
  | 'speech'
  | 'transcription'
  | 'translation'
  | 'video'

/**
 * Any of these combinations is enough. A plain token price does not cover images or audio: a provider that does not
 * count those in tokens would serve them for free, and sources list prices per step or per second under that name.
 */
const neededUnits: Readonly<Record<PricedKind, readonly (readonly PriceUnit[])[]>> = {
  text: [['prompt', 'completion']],
  embedding: [['prompt']],
  image: [['per_image_output'], ['per_megapixel_output'], ['per_pixel_output'], ['image_output_token']],
  moderation: [['prompt']],
  // Text and audio share a conversation, so both must have a price in both directions.
  realtime: [['prompt', 'completion', 'audio_input', 'audio_output']],
  rerank: [['per_search'], ['prompt']],
  speech: [['per_character']],
  transcription: [['per_second_input'], ['audio_input', 'completion']],
  translation: [['per_second_input'], ['audio_input', 'completion']],
  video: [['per_second_output'], ['video_output_token']],
}

/** Whether such a request can be charged: a price of zero counts, a missing price does not. */
export function isPriced({ base, rules }: Pick<PriceList, 'base' | 'rules'>, kind: PricedKind = 'text'): boolean {
  return statesPriceFor(kind, { units: base, rules })
}

const searchUnits = ['web_search', 'per_search'] as const satisfies PriceUnit[]

/** Whether the list has a price for web searches, in either unit. */
export function pricesSearches({ base, rules = [] }: Pick<PriceList, 'base' | 'rules'>): boolean {
  return searchUnits.some((unit) => base[unit] !== undefined || rules.some((rule) => rule.unit === unit))
}

/** The same for a list that is not parsed yet. */
export function statesPriceFor(
  kind: PricedKind,
  list: {
    readonly units: Readonly<Partial<Record<PriceUnit, unknown>>>
    readonly rules?: readonly { readonly unit: PriceUnit }[] | undefined
  },
): boolean {
  if (hasUnitsFor(kind, list.units)) return true
  // Many videos have no plain price, because each resolution has its own. The order check decides whether the requested
  // one has a price.
  return kind === 'video' && list.rules?.some(({ unit }) => hasUnitsFor(kind, { [unit]: true })) === true
}

function hasUnitsFor(kind: PricedKind, stated: Readonly<Partial<Record<PriceUnit, unknown>>>): boolean {
  return neededUnits[kind].some((units) => units.every((unit) => stated[unit] !== undefined))
}
