import type { PriceList } from '#domain/money/price-list.ts'
import type { Model } from './model.ts'

/**
 * Whether a model may reason without showing it, according to the catalogue: most reasoning models show at most a
 * summary.
 */
export function reasonsUnseen({ supportedParameters }: Pick<Model, 'supportedParameters'>, price: PriceList): boolean {
  const knows = supportedParameters?.some((parameter) => reasoningParameters.has(parameter)) ?? false
  return knows || price.base.reasoning !== undefined
}

const reasoningParameters: ReadonlySet<string> = new Set(['reasoning', 'include_reasoning', 'reasoning_effort'])
