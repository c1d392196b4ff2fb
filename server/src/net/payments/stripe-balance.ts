import type Stripe from 'stripe'
import { zeroMinor } from '#domain/payments/currency.ts'
import type { EffectKind } from '#domain/payments/payment-effect.ts'
import type { OtherBalanceKind, ProviderBalance } from '#ports/payments.ts'
import { topUpIdIn } from './stripe-event.ts'
import { amountOf, feeOf } from './stripe-payment.ts'

/** A line of Stripe's balance as we keep it. */
export function balanceOf(line: Stripe.BalanceTransaction): ProviderBalance {
  const { source } = line
  const kind = kindOf(line)
  if (kind === null || source === null || typeof source === 'string' || !isOfPayment(source)) return otherOf(line)
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

/** A payout to the operator's bank, or a line that no payment explains, such as a monthly fee. */
function otherOf(line: Stripe.BalanceTransaction): ProviderBalance {
  const kind = otherKindOf(line)
  return {
    id: line.id,
    kind,
    topUpId: null,
    paymentRef: null,
    currency: line.currency,
    amount: amountOf(kind === 'other' ? line.net : Math.abs(line.amount)),
    fee: kind === 'other' ? zeroMinor : feeOf(line),
    createdAtMs: line.created * 1_000,
  }
}

function otherKindOf({ type }: Stripe.BalanceTransaction): OtherBalanceKind {
  if (type === 'payout') return 'payout'
  return type === 'payout_cancel' || type === 'payout_failure' ? 'payout_returned' : 'other'
}

function kindOf({ type, amount }: Stripe.BalanceTransaction): EffectKind | null {
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
