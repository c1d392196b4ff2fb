import { isWholePrice, officialPriceOf } from '../../server/src/control/catalogue/official-prices.ts'
import type { CatalogueRow, PriceRow } from '../../server/src/domain/catalogue/catalogue-row.ts'
import type { Dispute } from './find-disputes.ts'

/**
 * The row at the prices that its providers state themselves. Units and tiers that they do not state stay as sources
 * have them.
 */
export function withOfficialPrices(row: CatalogueRow): CatalogueRow {
  const official = (price: PriceRow): PriceRow => {
    const offer = row.offers.find(({ provider, variant }) => provider === price.provider && variant === price.variant)
    const stated = offer && officialPriceOf(offer)
    if (stated === undefined) return price
    const { rules = price.rules } = stated
    return { ...price, units: { ...price.units, ...stated.units }, ...(rules === undefined ? {} : { rules }) }
  }
  return { ...row, prices: row.prices.map(official) }
}

/** Whether the provider itself states the price that sources disagree on. */
export function settlesPrice({ offers }: CatalogueRow, dispute: Dispute): boolean {
  return offers.some((offer) => {
    const official = offer.provider === dispute.provider ? officialPriceOf(offer) : undefined
    return official !== undefined && isWholePrice(official)
  })
}
