import type { Pricing } from '../../api/models.ts'
import { formatPrice } from '../../lib/price.ts'

/** Every price that a model may have, with its label and unit, in display order. */
const prices = {
  prompt: ['Input', '1M tokens'],
  completion: ['Output', '1M tokens'],
  input_cache_read: ['Cache read', '1M tokens'],
  input_cache_write: ['Cache write', '1M tokens'],
  internal_reasoning: ['Reasoning', '1M tokens'],
  image_token: ['Image input', '1M tokens'],
  image_output: ['Image output', '1M tokens'],
  audio: ['Audio input', '1M tokens'],
  audio_output: ['Audio output', '1M tokens'],
  image: ['Image output', 'image'],
  image_input: ['Image input', 'image'],
  megapixel: ['Image output', 'megapixel'],
  pixel: ['Image output', 'pixel'],
  character: ['Speech', 'character'],
  second: ['Transcription', 'second'],
  video_second: ['Video output', 'second'],
  video_second_1080p: ['Video output, 1080p', 'second'],
  video_input_second: ['Video input', 'second'],
  video_token: ['Video output', '1M tokens'],
  citation_token: ['Citations', '1M tokens'],
  web_search: ['Web search', 'search'],
  search: ['Search', 'search'],
  request: ['Request fee', 'request'],
  request_minimum: ['Minimum charge', 'request'],
} as const satisfies Record<keyof Pricing, readonly [string, string]>

// The keys of a literal object are the keys of its type.
const priceIds = Object.keys(prices) as (keyof Pricing)[]

export interface PriceRow {
  readonly id: keyof Pricing
  readonly label: string
  readonly unit: string
  readonly usd: string
}

/** The price rows of a model. Text prices of zero are left out if another price applies. */
export function priceRows(pricing: Pricing): readonly PriceRow[] {
  const rows = priceIds.flatMap((id) => {
    const [label, unit] = prices[id]
    const usd = pricing[id]
    return usd === undefined ? [] : [{ id, label, unit, usd }]
  })
  const paid = rows.filter(({ usd }) => !isZero(usd))
  return paid.length > 0 ? paid : rows.filter(({ id }) => id === 'prompt' || id === 'completion')
}

/** The main price of a model that is not priced by text tokens: per image, second or request. */
export function callPrice(pricing: Pricing): PriceRow | undefined {
  return priceRows(pricing).find(({ unit }) => unit !== '1M tokens')
}

/** The main prices in one line, such as `$1.75 in, $14.00 out / 1M`. */
export function priceInShort({ pricing, priced }: { readonly pricing: Pricing; readonly priced: boolean }): string {
  if (!priced) return 'No price'
  if (isFree(pricing)) return 'Free'
  const { prompt, completion } = pricing
  if (!isZero(prompt) || !isZero(completion)) return `${formatPrice(prompt)} in, ${formatPrice(completion)} out / 1M`
  const price = callPrice(pricing) ?? priceRows(pricing)[0]
  return price === undefined ? 'No price' : `${formatPrice(price.usd)} / ${price.unit}`
}

/** The label of a price by its API name, for variants. An unknown name is returned unchanged. */
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
