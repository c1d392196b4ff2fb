import { isZeroUsage, type Usage } from '#domain/inference/usage.ts'
import { itemize, roundUp } from './charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from './nano-usd.ts'
import type { PriceList } from './price-list.ts'

/** What the operator pays for an offer, where it differs from the price that clients pay. */
export interface Purchase {
  /** Missing: the provider charges the list price. */
  readonly price?: PriceList
  /** The operator's discount, in millionths of the price. */
  readonly discountPpm: number
}

/** No discount, as for accounts without terms of their own. */
export const noDiscount = 0

/** A discount of the whole price. */
export const discountMaxPpm = 1_000_000

const whole = BigInt(discountMaxPpm)

/**
 * The cost of reported usage to the operator, multiplied exactly and rounded up once. A cost that the provider itself
 * states is its bill, so no discount applies to it.
 */
export function providerCost(usage: Usage, price: PriceList, discountPpm: number): NanoUsd {
  if (isZeroUsage(usage)) return zeroUsd
  const { total } = itemize(usage, price)
  return roundUp(usage.media?.statedNano === undefined ? discounted(total, discountPpm) : total)
}

/** A cost after the discount, rounded up. */
export function discountedCost(cost: NanoUsd, discountPpm: number): NanoUsd {
  return nanoUsd(discounted(cost, discountPpm))
}

function discounted(amount: bigint, discountPpm: number): bigint {
  return (amount * (whole - BigInt(discountPpm)) + whole - 1n) / whole
}
