import { findAnyVendor } from '../own-key-vendor.ts'
import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'

/** Whether a vendor can be asked for something at all, through this interface where words are sold through no other. */
export function canServe(vendorSlug: string, kind: PricedKind, api?: UpstreamApi): boolean {
  const vendor = findAnyVendor(vendorSlug)
  // One that is gone from the program is a fault of ours, which asking it will show.
  if (vendor === undefined) return true
  if (kind !== 'text') return vendor.media?.[kind] !== undefined
  return api === undefined ? vendor.protocol !== 'none' : vendor.onResponses !== undefined
}
