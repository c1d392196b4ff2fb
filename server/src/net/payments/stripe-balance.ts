import type Stripe from 'stripe'
import type { ProviderBalance } from '#ports/payments.ts'
import { topUpIdIn } from './stripe-event.ts'
import { amountOf, feeOf } from './stripe-payment.ts'

/**
 * A line of Stripe's balance as we book it. Null if it is not about a payment, such as a payout to the operator's bank.
 */
export function balanceOf(line: Stripe.BalanceTransaction): ProviderBalance | null {
  const { source } = line
  if (source === null || typeof source === 'string') return null
  const kind = kindOf(line)
  if (kind === null || !isOfPayment(source)) return null
  const { payment_intent } = source
  return {
    id: line.id,
    kind,
    topUpId: topUpIdIn(source.metadata),
    paymentRef: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
    currency: source.currency,
    // A dispute can debit or credit part of a payment. The balance line has the actual amount, which is usable only in
    // the payment's currency.
    amount: amountOf(line.currency === source.currency ? Math.abs(line.amount) : source.amount),
    fee: feeOf(line),
    createdAtMs: line.created * 1_000,
  }
}

function kindOf({ type, amount }: Stripe.BalanceTransaction): ProviderBalance['kind'] | null {
  switch (type) {
    case 'charge':
    case 'payment':
      return 'payment'
    case 'refund':
    case 'payment_refund':
      return 'refund'
    case 'refund_failure':
      return 'refund_returned'
    case 'adjustment':
      return amount < 0 ? 'dispute' : 'dispute_won'
    default:
      return null
  }
}

function isOfPayment(
  source: Stripe.BalanceTransactionSource,
): source is Stripe.Charge | Stripe.Refund | Stripe.Dispute {
  return source.object === 'charge' || source.object === 'refund' || source.object === 'dispute'
}
