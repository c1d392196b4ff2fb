import type { UpstreamApi } from '#domain/catalogue/model.ts'
import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { findAnyVendor } from '../own-key-vendor.ts'

/** How a vendor sells a model. */
interface Sold {
  /** The only API through which the model is sold. */
  readonly api?: UpstreamApi
  /** Absent if the vendor bills an organization for its own key. */
  readonly price?: PriceList
}

/**
 * Whether a vendor supports this kind of request through this API, and reports the units that this price list charges
 * for.
 */
export function canServe(vendorSlug: string, kind: PricedKind, { api, price }: Sold = {}): boolean {
  const vendor = findAnyVendor(vendorSlug)
  // A vendor that no longer exists in the program is a bug, which the request will reveal.
  if (vendor === undefined) return true
  if (kind === 'text') return api === undefined ? vendor.protocol !== 'none' : vendor.onResponses !== undefined
  if (kind === 'realtime') return vendor.realtimePath !== undefined
  if (kind === 'rerank' && price !== undefined && vendor.media?.rerank?.countsTokens === false) {
    return isFreeOrBySearch(price)
  }
  if (kind === 'moderation' && price !== undefined && vendor.media?.moderation?.countsTokens === false) {
    return (price.base.prompt ?? 0n) === 0n
  }
  if (kind !== 'speech' || price === undefined || isPriced(price, 'speech')) return vendor.media?.[kind] !== undefined
  // Speech without a token count could not be charged.
  return vendor.media?.speech?.countsTokens === true
}

/** Sources write zero for units that do not apply, so search units without a price of their own need free tokens. */
function isFreeOrBySearch({ base: { per_search: perUnit, prompt } }: PriceList): boolean {
  return (perUnit ?? 0n) > 0n || (prompt ?? 0n) === 0n
}
