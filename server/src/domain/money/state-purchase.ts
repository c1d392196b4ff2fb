import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { pricesAt } from './price-clock.ts'
import type { Purchase } from './provider-cost.ts'
import { parsePrice, statePrice } from './state-price.ts'

/** What the operator pays for an offer, as text, for a persistent store. */
export interface StatedPurchase {
  readonly price?: StatedPrice & { readonly id: string }
  readonly discountPpm: number
}

/** With the price as of an instant. */
export function statePurchase({ price, discountPpm }: Purchase, atMs: number): StatedPurchase {
  return { discountPpm, ...(price === undefined ? {} : { price: statePrice(pricesAt(price, atMs)) }) }
}

export function parsePurchase({ price, discountPpm }: StatedPurchase): Purchase {
  return { discountPpm, ...(price === undefined ? {} : { price: parsePrice(price) }) }
}
