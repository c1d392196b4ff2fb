import { findAnyVendor } from '../own-key-vendor.ts'
import type { PricedKind } from '#domain/money/price-list.ts'

/** Whether a vendor can be asked for something at all. */
export function canServe(vendorSlug: string, kind: PricedKind): boolean {
  const vendor = findAnyVendor(vendorSlug)
  // One that is gone from the program is a fault of ours, which asking it will show.
  if (vendor === undefined) return true
  return kind === 'text' ? vendor.protocol !== 'none' : vendor.media?.[kind] !== undefined
}
