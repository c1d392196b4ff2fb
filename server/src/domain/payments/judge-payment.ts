import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { type Minor, minor } from './currency.ts'
import { transfersOf } from './effect-transfers.ts'
import type { PaymentReading } from './payment-reading.ts'
import { type EffectKind, effectKinds, type PaymentEffect } from './payment-effect.ts'
import { bookedFor } from './split-payment.ts'
import type { Mismatch, PaymentSums, TopUp, TopUpState, UsdAmounts } from './top-up.ts'

/** The state of an order after a reading, and the effects to book. */
export interface PaymentVerdict {
  readonly state: TopUpState
  readonly mismatch: Mismatch | null
  readonly sums: PaymentSums
  readonly booked: UsdAmounts
  readonly disputed: NanoUsd
  readonly effects: readonly PaymentEffect[]
}

/** The order sum that each effect increases. */
export const sumOfKind = {
  payment: 'paid',
  refund: 'refunded',
  refund_returned: 'returned',
  dispute: 'withdrawn',
  dispute_won: 'reinstated',
  dispute_lost: 'lost',
  processor_fee: 'processorFee',
  processor_fee_returned: 'processorFeeReturned',
} as const satisfies Record<EffectKind, keyof PaymentSums>

/**
 * Compares a provider's reading with the booked state, and books the difference. Every sum only grows, so an outdated
 * or repeated reading books nothing.
 */
export function judgePayment(order: TopUp, reading: PaymentReading): PaymentVerdict {
  const refused = refusalOf(order, reading)
  if (refused !== null) {
    const isGone = reading.sums.refunded - reading.sums.returned >= reading.sums.paid
    return { ...verdictOf(order), state: isGone ? 'refunded' : 'mismatch', mismatch: refused }
  }
  let current = verdictOf(order)
  for (const kind of effectKinds) current = book(order, current, kind, reading.sums[sumOfKind[kind]])
  const { sums } = current
  const differs = sums.paid > 0n && sums.paid !== order.charged.total
  return { ...current, state: stateOf(order, reading, sums), mismatch: differs ? 'amount' : current.mismatch }
}

function verdictOf({ state, mismatch, sums, booked, disputed }: TopUp): PaymentVerdict {
  return { state, mismatch, sums, booked, disputed, effects: [] }
}

/** Why a payment cannot be credited. An order that was credited once stays credited. */
function refusalOf(order: TopUp, { status, sums, isLive, topUpId, currency }: PaymentReading): Mismatch | null {
  if (order.sums.paid > 0n || status !== 'paid' || sums.paid === 0n) return null
  if (isLive !== order.isLive) return 'mode'
  if (topUpId !== order.id) return 'order'
  return currency === order.currency ? null : 'currency'
}

function book(order: TopUp, before: PaymentVerdict, kind: EffectKind, said: Minor): PaymentVerdict {
  const name = sumOfKind[kind]
  const known = before.sums[name]
  // A payment that has not arrived cannot be refunded.
  if (said <= known || (kind !== 'payment' && before.sums.paid === 0n)) return before
  // The paid amount is settled once: later readings of the same payment do not change it.
  if (kind === 'payment' && known > 0n) return before
  const sums = { ...before.sums, [name]: said }
  const booked = kind === 'payment' ? bookedFor(order, said) : before.booked
  const { transfers, disputed } = transfersOf(kind, {
    before: before.sums,
    after: sums,
    booked,
    disputed: before.disputed,
  })
  const effect = { kind, amount: minor(said - known), sum: said, transfers }
  return { ...before, sums, booked, disputed, effects: [...before.effects, effect] }
}

function stateOf(order: TopUp, { status }: PaymentReading, sums: PaymentSums): TopUpState {
  if (sums.paid === 0n) {
    if (order.state !== 'open') return order.state
    return status === 'expired' ? 'expired' : 'open'
  }
  if (sums.withdrawn > sums.reinstated + sums.lost) return 'disputed'
  if (sums.lost > 0n) return 'lost'
  const refunded = sums.refunded - sums.returned
  if (refunded >= sums.paid) return 'refunded'
  if (refunded > 0n) return 'partly_refunded'
  return sums.withdrawn > 0n ? 'won' : 'paid'
}
