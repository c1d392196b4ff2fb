import { type Currency, decimalOf, isCurrency } from '#domain/payments/currency.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OrderDispute, RefundReason } from '#ports/payments.ts'

export function renderDispute(dispute: OrderDispute): JsonObject {
  const { id, provider, topUpId, customer, status, isOpen, reason, amount, currency } = dispute
  return {
    id,
    provider,
    top_up_id: topUpId,
    customer: { ...customer },
    status,
    open: isOpen,
    reason,
    amount: isCurrency(currency) ? decimalOf(amount, currency) : String(amount),
    currency,
    evidence_due_at: momentOf(dispute.evidenceDueAtMs),
    created_at: momentOf(dispute.createdAtMs),
  }
}

export function renderRefund({ amount, reason, author, createdAtMs }: RefundReason, currency: Currency): JsonObject {
  return { amount: decimalOf(amount, currency), reason, author, created_at: momentOf(createdAtMs) }
}

function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
