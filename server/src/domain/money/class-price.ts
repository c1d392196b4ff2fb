import type { UsageClasses } from '#domain/inference/usage.ts'
import type { UnitPrices } from './price-list.ts'

/** The text input classes, cached or not. */
export const textInputs = [
  'uncachedInput',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
] as const satisfies (keyof UsageClasses)[]

export const inputClasses = [...textInputs, 'audioInput'] as const satisfies (keyof UsageClasses)[]

export const outputClasses = [
  'textOutput',
  'reasoningOutput',
  'imageOutput',
  'audioOutput',
] as const satisfies (keyof UsageClasses)[]

export const classNames = [...inputClasses, ...outputClasses] as const satisfies (keyof UsageClasses)[]

/** A class without its own price costs as much as its plain counterpart: cached input as input, reasoning as output. */
export function classPrice(item: keyof UsageClasses, prices: UnitPrices): bigint {
  const prompt = prices.prompt ?? 0n
  const completion = prices.completion ?? 0n
  switch (item) {
    case 'uncachedInput':
      return prompt
    case 'cacheRead':
      return prices.cache_read ?? prompt
    case 'cacheWrite5m':
      return prices.cache_write ?? prompt
    case 'cacheWrite1h':
      return prices.cache_write_1h ?? prices.cache_write ?? prompt
    case 'audioInput':
      return prices.audio_input ?? prompt
    case 'textOutput':
      return completion
    case 'reasoningOutput':
      return prices.reasoning ?? completion
    case 'imageOutput':
      return prices.image_output_token ?? completion
    case 'audioOutput':
      return prices.audio_output ?? completion
  }
}
