import type { CatalogueRow } from '../../server/src/domain/catalogue/catalogue-row.ts'

/** Moving aliases of providers, and the current target of each. */
export const movingAliases: ReadonlyMap<string, string> = new Map([
  // Google moves `latest` to the newest model of a family. Its page does not name today's targets, so these are
  // inferred from that.
  ['google/gemini-flash-latest', 'google/gemini-3.8-flash'],
  ['google/gemini-flash-lite-latest', 'google/gemini-3.5-flash-lite'],
  ['google/gemini-pro-latest', 'google/gemini-3.1-pro-preview'],
])

/**
 * The rows with every alias at its target's prices. Sources state the price at the time they first saw the alias. An
 * alias is removed if none of its providers has a price for the target.
 */
export function followAliases(rows: readonly CatalogueRow[]): { rows: CatalogueRow[]; left: number } {
  const known = new Map(rows.map((row) => [row.id, row]))
  const followed = rows.flatMap((row) => {
    const target = movingAliases.get(row.id)
    if (target === undefined) return [row]
    const prices = (known.get(target)?.prices ?? []).filter((price) =>
      row.offers.some(({ provider, variant }) => provider === price.provider && variant === price.variant),
    )
    const offers = row.offers.filter(({ provider, variant }) =>
      prices.some((price) => provider === price.provider && variant === price.variant),
    )
    const isSold = offers.some(({ provider, variant }) => provider === row.defaultProvider && variant === '')
    return isSold ? [{ ...row, offers, prices }] : []
  })
  return { rows: followed, left: rows.length - followed.length }
}
