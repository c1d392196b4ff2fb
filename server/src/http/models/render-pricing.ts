import type { Model } from '#domain/catalogue/model.ts'
import type { PriceList, PriceTier, PriceUnit, UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice, perMillion, type UnitPrice } from '#domain/money/unit-price.ts'
import type { Pricing, PricingTier, PricingVariant } from './model-schema.ts'

/**
 * Token prices per million, of the lowest tier, and all other prices per unit. Text without a price shows as zero;
 * `priced` tells whether the list is missing.
 */
export function renderPricing(model: Pick<Model, 'outputModalities'>, price: PriceList | null): Pricing {
  const base = price?.base ?? {}
  return {
    ...renderWords(base, perMillion),
    ...rendered(base, otherTokens, perMillion),
    ...rendered(base, piecesOf(model), formatUnitPrice),
  }
}

/** Prices that differ for certain kinds of requests. Undefined if there are none. */
export function renderPricingVariants(
  model: Pick<Model, 'outputModalities'>,
  price: PriceList | null,
): PricingVariant[] | undefined {
  if (price?.rules === undefined) return undefined
  const pieces = piecesOf(model)
  return price.rules.flatMap(({ unit, price: usd, when }) => {
    const token = nameOf({ ...words, ...otherTokens }, unit)
    const name = token ?? nameOf(pieces, unit)
    return name === undefined
      ? []
      : [{ price: name, usd: token === undefined ? formatUnitPrice(usd) : perMillion(usd), when: { ...when } }]
  })
}

function nameOf(names: Names, unit: PriceUnit): string | undefined {
  return Object.entries(names).find(([, named]) => named === unit)?.[0]
}

function piecesOf({ outputModalities }: Pick<Model, 'outputModalities'>): Names {
  return { ...(outputModalities.includes('image') ? imagesMade : imagesGiven), ...otherPieces }
}

/** Per token, as the API contract requires. Undefined if the length of the input does not matter. */
export function renderPricingTiers(price: PriceList | null): PricingTier[] | undefined {
  return price === null || price.tiers.length === 0 ? undefined : price.tiers.map(renderTier)
}

function renderTier(tier: PriceTier): PricingTier {
  return { above_prompt_tokens: tier.abovePromptTokens, ...renderWords(tier.prices, formatUnitPrice) }
}

type Names = Readonly<Partial<Record<keyof Pricing, PriceUnit>>>
/** Whether a member of `pricing` is a price per million tokens. */
export function isPerMillion(name: string): boolean {
  return Object.hasOwn(words, name) || Object.hasOwn(otherTokens, name)
}

type Write = (price: UnitPrice) => string
type Words = Pick<Pricing, 'prompt' | 'completion' | 'input_cache_read' | 'input_cache_write'>

function renderWords(prices: UnitPrices, write: Write): Words {
  const { prompt, completion } = prices
  return {
    prompt: prompt === undefined ? '0' : write(prompt),
    completion: completion === undefined ? '0' : write(completion),
    ...rendered(prices, cached, write),
  }
}

const cached: Names = { input_cache_read: 'cache_read', input_cache_write: 'cache_write' }
const words: Names = { prompt: 'prompt', completion: 'completion', ...cached }

const otherTokens: Names = {
  internal_reasoning: 'reasoning',
  audio: 'audio_input',
  audio_output: 'audio_output',
  image_token: 'image_input_token',
  image_output: 'image_output_token',
  video_token: 'video_output_token',
  citation_token: 'citation_token',
}

const imagesMade: Names = { image: 'per_image_output', image_input: 'per_image_input' }
const imagesGiven: Names = { image: 'per_image_input' }

const otherPieces: Names = {
  megapixel: 'per_megapixel_output',
  pixel: 'per_pixel_output',
  character: 'per_character',
  second: 'per_second_input',
  video_second: 'per_second_output',
  video_second_1080p: 'per_second_output_1080p',
  video_input_second: 'per_second_video_input',
  web_search: 'web_search',
  search: 'per_search',
  request: 'per_request',
  request_minimum: 'per_request_minimum',
}

function rendered(prices: UnitPrices, names: Names, write: Write): Readonly<Partial<Pricing>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, unit]) => {
      const price = prices[unit]
      return price === undefined ? [] : [[name, write(price)]]
    }),
  )
}
