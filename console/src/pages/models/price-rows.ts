import type { Pricing } from './models-query.ts'

/** Every price that a model may have: what it is for, and for how many of it. The order is that of the page. */
const prices = {
  prompt: ['Input', '1M tokens'],
  completion: ['Output', '1M tokens'],
  input_cache_read: ['Input read from a cache', '1M tokens'],
  input_cache_write: ['Input written to a cache', '1M tokens'],
  internal_reasoning: ['Reasoning', '1M tokens'],
  image_token: ['Images in', '1M tokens'],
  image_output: ['Images out', '1M tokens'],
  audio: ['Sound in', '1M tokens'],
  audio_output: ['Sound out', '1M tokens'],
  image: ['Image', 'image'],
  image_input: ['Image in', 'image'],
  megapixel: ['Image', 'megapixel'],
  pixel: ['Image', 'pixel'],
  character: ['Speech', 'character'],
  second: ['Transcription', 'second'],
  video_second: ['Video', 'second'],
  video_second_1080p: ['Video in 1080p', 'second'],
  video_input_second: ['Video in', 'second'],
  video_token: ['Video', '1M tokens'],
  citation_token: ['Quoted sources', '1M tokens'],
  web_search: ['Web search', 'search'],
  search: ['Search', 'search'],
  request: ['Every request', 'request'],
  request_minimum: ['At the least', 'request'],
} as const satisfies Record<keyof Pricing, readonly [string, string]>

// The keys of a literal object are the ones of its type.
const priceIds = Object.keys(prices) as (keyof Pricing)[]

export interface PriceRow {
  readonly id: keyof Pricing
  readonly label: string
  readonly unit: string
  readonly usd: string
}

/** What a model is charged by. Words that cost nothing are left out where something else has a price. */
export function priceRows(pricing: Pricing): readonly PriceRow[] {
  const rows = priceIds.flatMap((id) => {
    const [label, unit] = prices[id]
    const usd = pricing[id]
    return usd === undefined ? [] : [{ id, label, unit, usd }]
  })
  const paid = rows.filter(({ usd }) => !isZero(usd))
  return paid.length > 0 ? paid : rows.filter(({ id }) => id === 'prompt' || id === 'completion')
}

/** The price that stands for the model where it is not paid by tokens of text: of an image, a second, a call. */
export function callPrice(pricing: Pricing): PriceRow | undefined {
  return priceRows(pricing).find(({ unit }) => unit !== '1M tokens')
}

/** A price by its name in the API, for variants; a name that this page does not know stays as it is. */
export function priceLabel(name: string): string {
  const id = priceIds.find((other) => other === name)
  return id === undefined ? name : prices[id].join(', per ')
}

export function isFree(pricing: Pricing): boolean {
  return Object.values(pricing).every(isZero)
}

export function isZero(usd: string): boolean {
  return /^0(?:\.0*)?$/.test(usd)
}
