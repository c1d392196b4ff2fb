import type { UpstreamApi } from '#domain/catalogue/model.ts'
import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { findAnyVendor } from '../own-key-vendor.ts'

/** How a vendor sells a model. */
interface Sold {
  /** The interface through which alone it is sold. */
  readonly api?: UpstreamApi
  /** Absent where the vendor bills an organization for its own key. */
  readonly price?: PriceList
}

/**
 * Whether a vendor can be asked for something at all, through this interface, and counts what this list charges for.
 */
export function canServe(vendorSlug: string, kind: PricedKind, { api, price }: Sold = {}): boolean {
  const vendor = findAnyVendor(vendorSlug)
  // One that is gone from the program is a fault of ours, which asking it will show.
  if (vendor === undefined) return true
  if (kind === 'text') return api === undefined ? vendor.protocol !== 'none' : vendor.onResponses !== undefined
  if (kind !== 'speech' || price === undefined || isPriced(price, 'speech')) return vendor.media?.[kind] !== undefined
  // Speech whose tokens are not counted would be given away.
  return vendor.media?.speech?.countsTokens === true
}
