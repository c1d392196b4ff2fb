import { chargeFor, hitChargeFor } from '#domain/money/charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { type ReceiptLine, receiptLines } from '#domain/money/receipt-lines.ts'
import type { GenerationRecord } from './generation-record.ts'

/** How a cost was computed, recomputed from the stored counts and the stored price version. */
interface Receipt {
  readonly priceId: string
  readonly lines: readonly ReceiptLine[]
  readonly total: NanoUsd
}

/** Null if nothing was charged: a refunded request has no lines to show. */
export function receiptOf(
  record: Pick<GenerationRecord, 'usage' | 'refundReason' | 'cached'>,
  price: PriceList | null,
): Receipt | null {
  if (price === null || record.refundReason !== null) return null
  const { usage, cached } = record
  const { cost: total } = cached === undefined ? chargeFor(usage, price) : hitChargeFor(usage, price, cached.percent)
  return { priceId: price.id, lines: receiptLines(usage, price, cached?.percent), total }
}
