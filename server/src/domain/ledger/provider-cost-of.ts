import type { Usage } from '#domain/inference/usage.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { pricesAt } from '#domain/money/price-clock.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { discountedCost, noDiscount, providerCost, type Purchase } from '#domain/money/provider-cost.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import type { GenerationRecord } from './generation-record.ts'
import { costMax } from './judge-charge.ts'

/** A finished request, as far as it decides what the operator owes the provider. */
export interface Served {
  readonly billing: Billing
  /** The price at which it is charged. */
  readonly price: PriceList
  readonly purchase?: Purchase | undefined
  /** Null if the provider reported none. */
  readonly usage: Usage | null
  readonly cost: NanoUsd
  readonly absorbed: NanoUsd
  readonly isRefunded: boolean
  /** The reported usage is implausible, so that cost and absorbed cost say what the provider can bill. */
  readonly usageDoubted: boolean
  readonly receivedAtMs: number
}

/**
 * The cost to the operator, if it is not exactly the charged and absorbed cost: because the operator buys at other
 * terms than it sells, or because the client does not pay for usage that the provider reported. A provider that
 * reported no usage is assumed to bill nothing.
 */
export function providerCostOf(served: Served): NanoUsd | undefined {
  const { billing, usage, purchase, isRefunded } = served
  if (usage === null || billing === 'own_key' || billing === 'test') return undefined
  // No provider was asked.
  if (billing === 'cached') return isRefunded ? undefined : zeroUsd
  if (purchase === undefined && !isRefunded) return undefined
  const known = nanoUsd(served.cost + served.absorbed)
  const cost = costOf(served, usage, known)
  return cost === known ? undefined : cost
}

function costOf({ price, purchase, usageDoubted, receivedAtMs }: Served, usage: Usage, known: NanoUsd): NanoUsd {
  const { price: bought, discountPpm = noDiscount } = purchase ?? {}
  if (usageDoubted) return discountedCost(known, discountPpm)
  const cost = providerCost(usage, bought === undefined ? price : pricesAt(bought, receivedAtMs), discountPpm)
  return cost > costMax ? known : cost
}

/** The cost of a stored request to the operator. */
export function purchaseCostOf({
  cost,
  absorbed = zeroUsd,
  providerCost,
}: Pick<GenerationRecord, 'cost' | 'absorbed' | 'providerCost'>): NanoUsd {
  return providerCost ?? nanoUsd(cost + absorbed)
}
