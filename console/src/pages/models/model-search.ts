import { priceUnits } from '../../lib/price.ts'
import type { Model } from '../../api/models.ts'
import { isFree } from './price-rows.ts'

/** The filters of the page, from its URL. A missing filter matches every model. */
export interface ModelSearch {
  readonly q?: string
  readonly makes?: string
  readonly takes?: string
  readonly author?: string
  /** Maximum price in USD for a million input tokens; `0` means free. */
  readonly price?: string
  /** Minimum context length in tokens. */
  readonly context?: string
  readonly available?: 'yes' | 'no'
  /** Up to four ids, separated by commas. */
  readonly compare?: string
}

export const compareMax = 4

/** Reads the filters from a URL and ignores unknown values. */
export function parseModelSearch(search: Record<string, unknown>): ModelSearch {
  const text = (key: string) => {
    const value = search[key]
    const words = typeof value === 'number' ? String(value) : value
    return typeof words === 'string' && words !== '' ? { [key]: words } : {}
  }
  const { available } = search
  const { price, context } = { ...text('price'), ...text('context') }
  return {
    ...text('q'),
    ...text('makes'),
    ...text('takes'),
    ...text('author'),
    ...(price !== undefined && /^\d{1,6}(\.\d{1,9})?$/.test(price) ? { price } : {}),
    ...(context !== undefined && /^\d{1,9}$/.test(context) ? { context } : {}),
    ...(available === 'yes' || available === 'no' ? { available } : {}),
    ...text('compare'),
  }
}

export function comparedIds({ compare = '' }: ModelSearch): readonly string[] {
  const ids = compare.split(',').filter((id) => id !== '')
  return [...new Set(ids)].slice(0, compareMax)
}

/** Returns the models that pass every filter. Those that can be called come first. */
export function searchModels(models: readonly Model[], search: ModelSearch): readonly Model[] {
  return models
    .filter((model) => passes(model, search))
    .toSorted((left, right) => Number(right.available) - Number(left.available))
}

function passes(model: Model, { q, makes, takes, author, price, context, available }: ModelSearch): boolean {
  if (q !== undefined && !hasWords(model, q)) return false
  if (makes !== undefined && !model.architecture.output_modalities.some((made) => made === makes)) return false
  if (takes !== undefined && !model.architecture.input_modalities.includes(takes)) return false
  if (author !== undefined && authorOf(model) !== author) return false
  if (price !== undefined && !isWithin(model, price)) return false
  if (context !== undefined && Number(model.context_length ?? 0) < Number(context)) return false
  return available === undefined || model.available === (available === 'yes')
}

export function authorOf({ id }: Pick<Model, 'id'>): string {
  return id.split('/')[0] ?? id
}

function hasWords({ id, name, description }: Model, q: string): boolean {
  const text = `${id} ${name} ${description ?? ''}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function isWithin({ pricing, priced }: Model, price: string): boolean {
  if (!priced) return false
  return priceUnits(price) === 0n ? isFree(pricing) : priceUnits(pricing.prompt) <= priceUnits(price)
}

/** Compares two prices in USD exactly. */
export function comparePrices(left: string, right: string): number {
  const difference = priceUnits(left) - priceUnits(right)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
