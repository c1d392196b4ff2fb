import type { PaymentQuote } from '#control/payments/quote-payment.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { type Currency, decimalOf, type Minor, minor } from '#domain/payments/currency.ts'
import { formatRate } from '#domain/payments/exchange-rate.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import type { JsonObject } from '#lib/json.ts'
import { rawJsonNumber } from '#lib/raw-json.ts'

export function renderTopUp(order: TopUp): JsonObject {
  const { currency, quoted, charged, sums, paidAtMs, state } = order
  const amount = (of: bigint): number => amountJson(minor(of), currency)
  return {
    id: order.id,
    wallet_id: order.walletId,
    state,
    provider: order.provider,
    test: !order.isLive,
    credit: usdJson(quoted.credit),
    fee: usdJson(quoted.fee),
    tax: usdJson(quoted.tax),
    currency,
    rate: order.rate === null ? null : formatRate(order.rate),
    total: amount(charged.total),
    paid: amount(sums.paid),
    refunded: amount(sums.refunded - sums.returned),
    disputed: amount(sums.withdrawn - sums.reinstated),
    credited: usdJson(order.booked.credit),
    mismatch: order.mismatch,
    invoice_number: order.invoiceNumber,
    reference: order.reference,
    checkout_url: state === 'open' ? order.checkoutUrl : null,
    created_at: new Date(order.createdAtMs).toISOString(),
    paid_at: paidAtMs === null ? null : new Date(paidAtMs).toISOString(),
  }
}

export function renderQuote({ currency, rate, lines, charged }: PaymentQuote): JsonObject {
  return {
    currency,
    rate: rate === null ? null : formatRate(rate),
    lines: lines.map(({ item, amount, percent }) => ({
      item,
      amount: usdJson(amount),
      charged: amountJson(charged[item], currency),
      percent,
    })),
    total: amountJson(charged.total, currency),
  }
}

/** A JSON number with all decimals of its currency. */
function amountJson(amount: Minor, currency: Currency): number {
  return rawJsonNumber(decimalOf(amount, currency))
}
