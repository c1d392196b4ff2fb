import type Stripe from 'stripe'
import { type Minor, minor, zeroMinor } from '#domain/payments/currency.ts'
import type { PaymentDispute, PaymentReading } from '#domain/payments/payment-reading.ts'
import { noSums, type PaymentSums, type TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'

/** The state of an order in Stripe's records: the session, its payment, and all refunds and disputes of the payment. */
export async function readStripePayment(stripe: Stripe, order: TopUp): Promise<PaymentReading> {
  if (order.checkoutRef === null) return absentPayment(order)
  const expand = ['payment_intent.latest_charge.balance_transaction']
  const session = await stripe.checkout.sessions.retrieve(order.checkoutRef, { expand })
  const payment = expanded(session.payment_intent)
  const common = {
    isLive: session.livemode,
    topUpId: session.client_reference_id,
    checkoutRef: session.id,
    paymentRef: payment?.id ?? null,
  }
  const charge = expanded(payment?.latest_charge ?? null)
  if (payment === null || charge === null || session.payment_status !== 'paid') {
    return { ...common, status: statusOf(session, payment), currency: null, sums: noSums }
  }
  return { ...common, status: 'paid', currency: payment.currency, ...(await readMoves(stripe, payment, charge)) }
}

/** Everything that has happened to a received payment. */
export async function readMoves(
  stripe: Stripe,
  payment: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): Promise<Pick<PaymentReading, 'sums' | 'disputes'>> {
  const refunds = await listRefunds(stripe, payment.id)
  const disputes = charge.disputed
    ? await stripe.disputes.list({ payment_intent: payment.id, limit: 100 })
    : { data: [] }
  return {
    sums: sumsOf({ payment, charge, refunds, disputes: disputes.data }),
    disputes: disputes.data.map(disputeOf),
  }
}

function disputeOf(dispute: Stripe.Dispute): PaymentDispute {
  const { id, status, reason, amount, currency, created, evidence_details: evidence } = dispute
  return {
    id,
    status,
    reason,
    amount: amountOf(amount),
    currency,
    // Stripe expects no answer once a dispute is closed, and none to some inquiries.
    evidenceDueAtMs: evidence.due_by === null ? null : evidence.due_by * 1_000,
    createdAtMs: created * 1_000,
  }
}

/** Stripe does not know the order. */
export function absentPayment({ isLive }: TopUp): PaymentReading {
  return { status: 'absent', isLive, topUpId: null, currency: null, sums: noSums, checkoutRef: null, paymentRef: null }
}

/** A finished session without the money is still being paid, unless its payment has failed since then. */
function statusOf({ status }: Stripe.Checkout.Session, payment: Stripe.PaymentIntent | null): PaymentReading['status'] {
  if (status === 'expired') return 'expired'
  if (status !== 'complete') return 'open'
  return payment?.status === 'canceled' || payment?.status === 'requires_payment_method' ? 'expired' : 'pending'
}

// A payment has a handful of refunds, never a hundred.
async function listRefunds(stripe: Stripe, paymentRef: string): Promise<readonly Stripe.Refund[]> {
  const expand = ['data.balance_transaction', 'data.failure_balance_transaction']
  const { data, has_more } = await stripe.refunds.list({ payment_intent: paymentRef, limit: 100, expand })
  assert(!has_more, 'a payment has at most a hundred refunds')
  return data
}

interface PaymentParts {
  readonly payment: Stripe.PaymentIntent
  readonly charge: Stripe.Charge
  readonly refunds: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
}

function sumsOf({ payment, charge, refunds, disputes }: PaymentParts): PaymentSums {
  const lines = [
    expanded(charge.balance_transaction),
    ...refunds.flatMap((refund) => [
      expanded(refund.balance_transaction),
      expanded(refund.failure_balance_transaction ?? null),
    ]),
    ...disputes.flatMap((dispute) => dispute.balance_transactions),
  ].filter((line) => line !== null)
  // A refund that waits for an action of the payer has not moved money yet.
  const moved = refunds.filter(({ balance_transaction }) => balance_transaction !== null)
  const failed = moved.filter(({ status }) => status === 'failed' || status === 'canceled')
  const taken = disputes.map(takenBy)
  return {
    paid: amountOf(payment.amount_received),
    refunded: sum(moved.map(({ amount }) => amountOf(amount))),
    returned: sum(failed.map(({ amount }) => amountOf(amount))),
    withdrawn: sum(taken.map(({ withdrawn }) => withdrawn)),
    reinstated: sum(taken.map(({ reinstated }) => reinstated)),
    lost: sum(taken.map(({ lost }) => lost)),
    processorFee: sum(lines.map((line) => feeOf(line)).filter((fee) => fee > 0n)),
    processorFeeReturned: sum(lines.map((line) => minor(-feeOf(line))).filter((fee) => fee > 0n)),
  }
}

/**
 * An inquiry debits nothing. A dispute's balance lines state the debited amount; if their currency is not that of the
 * charge, the whole amount counts.
 */
function takenBy({ balance_transactions, amount, currency, status }: Stripe.Dispute) {
  const taken = balance_transactions.filter((line) => line.amount < 0)
  const given = balance_transactions.filter((line) => line.amount > 0)
  const isSame = balance_transactions.every((line) => line.currency === currency)
  const sumOf = (lines: readonly Stripe.BalanceTransaction[]): Minor => {
    if (isSame) return sum(lines.map((line) => amountOf(Math.abs(line.amount))))
    return lines.length === 0 ? zeroMinor : amountOf(amount)
  }
  const withdrawn = sumOf(taken)
  const reinstated = sumOf(given)
  return { withdrawn, reinstated, lost: status === 'lost' ? minor(withdrawn - reinstated) : zeroMinor }
}

/**
 * The fee in US cents. An account that settles in another currency pays its fees in that currency, which the ledger
 * cannot hold.
 */
export function feeOf({ fee, currency }: Pick<Stripe.BalanceTransaction, 'fee' | 'currency'>): Minor {
  return currency === 'usd' ? amountOf(fee) : zeroMinor
}

export function amountOf(amount: number): Minor {
  assert(Number.isSafeInteger(amount), 'an amount of Stripe is a whole number')
  return minor(BigInt(amount))
}

function sum(amounts: readonly Minor[]): Minor {
  return minor(amounts.reduce((total, amount) => total + amount, 0n))
}

/** An expanded object, or undefined if only its id arrived. */
export function expanded<Thing extends { readonly id: string }>(thing: string | Thing | null): Thing | null {
  assert(typeof thing !== 'string', 'Stripe expands what it is asked to')
  return thing
}
