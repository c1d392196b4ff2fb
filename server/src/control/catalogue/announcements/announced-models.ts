import type { AnnouncedModel, ChangedPrice } from '#domain/catalogue/announced-model.ts'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { type QuotedPrice, quotePrices } from '#domain/money/quote-prices.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { rowOfModel } from '../row-of-model.ts'

/** The models of an import whose customers must know: those with other prices or another retirement date. */
export function announcedModels(
  { models }: Pick<Catalogue, 'models'>,
  rows: readonly CatalogueRow[],
): AnnouncedModel[] {
  return rows.flatMap((row) => {
    const model = models.get(row.id)
    // A new model has no customers yet.
    if (model === undefined) return []
    const before = rowOfModel(model)
    const prices = changedPrices(before.prices, row.prices)
    const retirement =
      before.retiresOn === row.retiresOn ? null : ({ from: before.retiresOn, to: row.retiresOn } as const)
    return prices.length === 0 && retirement === null ? [] : [{ id: row.id, name: row.name, prices, retirement }]
  })
}

type PriceLine = Omit<ChangedPrice, 'from' | 'to'> & { readonly usd: string }

/** Prices of a provider that is new for the model are no change: no request was charged by it. */
function changedPrices(before: readonly PriceRow[], after: readonly PriceRow[]): ChangedPrice[] {
  const known = new Set(before.map(hostOf))
  const [was, is] = [linesOf(before), linesOf(after.filter((price) => known.has(hostOf(price))))]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [from, to] = [was.get(key), is.get(key)]
    const line = to ?? from
    if (line === undefined || from?.usd === to?.usd) return []
    const { usd: _, ...rest } = line
    return [{ ...rest, from: from?.usd ?? null, to: to?.usd ?? null }]
  })
}

function linesOf(prices: readonly PriceRow[]): ReadonlyMap<string, PriceLine> {
  return new Map(
    prices.flatMap(({ provider, variant, ...stated }) =>
      quotePrices(parsePrice({ id: '', ...stated })).map((quoted: QuotedPrice): [string, PriceLine] => {
        const { unit, when, isPerMillion, usd } = quoted
        return [[provider, variant, unit, when].join('\n'), { provider, variant, unit, when, isPerMillion, usd }]
      }),
    ),
  )
}

function hostOf({ provider, variant }: Pick<PriceRow, 'provider' | 'variant'>): string {
  return `${provider}/${variant}`
}
