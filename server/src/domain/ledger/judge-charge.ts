import { isZeroUsage, type Usage } from '#domain/inference/usage.ts'
import { type Charge, chargeFor, hitChargeFor } from '#domain/money/charge.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import type { RefundReason } from './generation-record.ts'

/** The charge of a request, and the reason if it is refunded. */
interface ChargeVerdict {
  readonly charge: Charge
  readonly refundReason: RefundReason | null
}

/**
 * The charging rule for all responses, including videos. Only usage that the upstream reported is charged; a missing or
 * all-zero record is a full refund, never an estimate.
 */
export function judgeCharge({ usage, billing, price, hitPricePercent = 0 }: AnsweredUsage): ChargeVerdict {
  const notBilled = billing === 'cached' && hitPricePercent > 0 ? null : refundReasonOf(billing)
  if (notBilled !== null) return refund(notBilled)
  if (usage === null) return refund('no_usage')
  if (isZeroUsage(usage)) return refund('zero_usage')
  const charge = billing === 'cached' ? hitChargeFor(usage, price, hitPricePercent) : chargeFor(usage, price)
  return charge.cost > costMax ? refund('no_usage') : { charge, refundReason: null }
}

export interface AnsweredUsage {
  readonly usage: Usage | null
  readonly billing: Billing
  readonly price: PriceList
  /** For kept answers. */
  readonly hitPricePercent?: number | undefined
}

export function refund(refundReason: RefundReason): ChargeVerdict {
  return { charge: nothing, refundReason }
}

const nothing: Charge = { cost: zeroUsd, cacheDiscount: zeroUsd }

// A million dollars. A higher cost means that the upstream's count is wrong, and would soon exceed the ledger's
// integers.
export const costMax = 1_000_000_000_000_000n

function refundReasonOf(billing: Billing): RefundReason | null {
  switch (billing) {
    case 'charged':
      return null
    case 'free':
      return 'free_tier'
    case 'own_key':
      return 'own_key'
    case 'test':
      return 'not_billed'
    case 'cached':
      return 'cache_hit'
  }
}
