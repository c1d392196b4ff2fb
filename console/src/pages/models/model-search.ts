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
  readonly sort?: ModelSort
  /** Up to four ids, separated by commas. */
  readonly compare?: string
}

export const modelSorts = ['newest', 'cheapest', 'context', 'name'] as const
type ModelSort = (typeof modelSorts)[number]

export const compareMax = 4

/** Reads the filters from a URL and ignores unknown values. */
export function parseModelSearch(search: Record<string, unknown>): ModelSearch {
  const text = (key: string) => {
    const value = search[key]
    const words = typeof value === 'number' ? String(value) : value
    return typeof words === 'string' && words !== '' ? { [key]: words } : {}
  }
  const { available, sort } = search
  const wantedSort = modelSorts.find((name) => name === sort)
  const { price, context } = { ...text('price'), ...text('context') }
  return {
    ...text('q'),
    ...text('makes'),
    ...text('takes'),
    ...text('author'),
    ...(price !== undefined && /^\d{1,6}(\.\d{1,9})?$/.test(price) ? { price } : {}),
    ...(context !== undefined && /^\d{1,9}$/.test(context) ? { context } : {}),
    ...(available === 'yes' || available === 'no' ? { available } : {}),
    ...(wantedSort === undefined ? {} : { sort: wantedSort }),
    ...text('compare'),
  }
}

export function comparedIds({ compare = '' }: ModelSearch): readonly string[] {
  const ids = compare.split(',').filter((id) => id !== '')
  return [...new Set(ids)].slice(0, compareMax)
}

/** Returns the models that pass every filter, in the requested order. */
export function searchModels(models: readonly Model[], search: ModelSearch): readonly Model[] {
  const found = models.filter((model) => passes(model, search))
  return search.sort === undefined ? found : found.sort(orders[search.sort])
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

type Order = (left: Model, right: Model) => number

const byName: Order = (left, right) => left.id.localeCompare(right.id)

const orders: Readonly<Record<ModelSort, Order>> = {
  name: byName,
  newest: (left, right) => Number(right.created) - Number(left.created) || byName(left, right),
  context: (left, right) => Number(right.context_length ?? 0) - Number(left.context_length ?? 0) || byName(left, right),
  cheapest: (left, right) => comparePrices(left, right) || byName(left, right),
}

// Models without a price come last, because they cannot be called.
function comparePrices(left: Model, right: Model): number {
  if (left.priced !== right.priced) return left.priced ? -1 : 1
  const difference = bothPrices(left) - bothPrices(right)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function bothPrices({ pricing }: Model): bigint {
  return priceUnits(pricing.prompt) + priceUnits(pricing.completion)
}
