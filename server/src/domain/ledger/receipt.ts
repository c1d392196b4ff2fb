import type { Usage } from '#domain/inference/usage.ts'
import { chargeFor } from '#domain/money/charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { type ReceiptLine, receiptLines } from '#domain/money/receipt-lines.ts'
import type { RefundReason } from './generation-record.ts'

/** How a cost was computed, recomputed from the stored counts and the stored price version. */
interface Receipt {
  readonly priceId: string
  readonly lines: readonly ReceiptLine[]
  readonly total: NanoUsd
}

/** Null if nothing was charged: a refunded request has no lines to show. */
export function receiptOf(
  record: { readonly usage: Usage; readonly refundReason: RefundReason | null },
  price: PriceList | null,
): Receipt | null {
  if (price === null || record.refundReason !== null) return null
  const { usage } = record
  return { priceId: price.id, lines: receiptLines(usage, price), total: chargeFor(usage, price).cost }
}
