import { purposeOfKind } from '#domain/catalogue/can-charge.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { lacksCachePrice } from '#domain/catalogue/lacks-cache-price.ts'
import { type ModelKind, modelKinds } from '#domain/catalogue/model.ts'
import { isSpokenInTokens } from '#domain/media/speech.ts'
import { statesPriceFor } from '#domain/money/price-list.ts'

interface PricedCount {
  readonly kind: ModelKind
  readonly models: number
  /** Models with at least one provider price in the units in which their requests are counted. */
  readonly priced: number
}

/** Counts chat prices, and chat prices without `cache_read`. */
export function countIncomplete(rows: readonly CatalogueRow[]): { prices: number; incomplete: number } {
  const prices = rows.flatMap(({ kind, prices }) => (kind === 'chat' ? prices : []))
  return { prices: prices.length, incomplete: prices.filter(({ units }) => lacksCachePrice('chat', units)).length }
}

/** Counts the models in a file that can be charged. Requests to the others are rejected. */
export function countPriced(rows: readonly CatalogueRow[]): PricedCount[] {
  return modelKinds.flatMap((kind) => {
    const models = rows.filter((row) => row.kind === kind)
    return models.length === 0 ? [] : [{ kind, models: models.length, priced: models.filter(isRowPriced).length }]
  })
}

export function isRowPriced({ id, kind, author, prices }: CatalogueRow): boolean {
  const purpose = purposeOfKind(kind)
  if (id.endsWith(':free')) return prices.length > 0
  const isByTokens = purpose === 'speech' && isSpokenInTokens({ author })
  return prices.some((price) => statesPriceFor(purpose, price) || (isByTokens && statesPriceFor('text', price)))
}
