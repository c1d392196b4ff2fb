import { parseUnitPrice, type UnitPrice } from './unit-price.ts'

/** The units a catalogue may price; the names are those of the import file. */
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
  /** This tier's prices hold for the whole request when its prompt is longer than this, strictly. */
  readonly abovePromptTokens: number
  readonly prices: UnitPrices
}

/** One version of what one provider asks for one model. */
export interface PriceList {
  readonly id: string
  readonly base: UnitPrices
  /** Ascending. */
  readonly tiers: readonly PriceTier[]
}

export function parseUnitPrices(units: Readonly<Record<string, string>>): UnitPrices {
  const prices: Partial<Record<PriceUnit, UnitPrice>> = {}
  for (const unit of priceUnits) {
    const text = units[unit]
    if (text !== undefined) prices[unit] = parseUnitPrice(text)
  }
  return prices
}

/** A count equal to a threshold still has the lower tier's prices. */
export function pricesFor(list: PriceList, promptTokens: number): UnitPrices {
  let prices = list.base
  for (const tier of list.tiers) {
    if (promptTokens > tier.abovePromptTokens) prices = tier.prices
  }
  return prices
}

/** Whether text can be charged at all: a price of zero counts, a missing one does not. */
export function isPriced(list: PriceList): boolean {
  return list.base.prompt !== undefined && list.base.completion !== undefined
}
