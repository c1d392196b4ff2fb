import { isWholePrice, officialPriceOf } from '../../server/src/control/catalogue/official-prices.ts'
import type { CatalogueRow, PriceRow } from '../../server/src/domain/catalogue/catalogue-row.ts'
import type { Dispute } from './find-disputes.ts'

/** The row at its providers' official prices. Units and tiers without an official price keep the sources' prices. */
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

/** Whether the provider itself states the disputed price. */
export function settlesPrice({ offers }: CatalogueRow, dispute: Dispute): boolean {
  return offers.some((offer) => {
    const official = offer.provider === dispute.provider ? officialPriceOf(offer) : undefined
    return official !== undefined && isWholePrice(official)
  })
}
