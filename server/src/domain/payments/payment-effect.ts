import type { Transfer } from '#domain/ledger/transfer.ts'
import type { Minor } from './currency.ts'

/** What is booked for an order, one ledger transaction each, in the order in which it can have happened. */
export const effectKinds = [
  'payment',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_won',
  'dispute_lost',
  'processor_fee',
  'processor_fee_returned',
] as const
export type EffectKind = (typeof effectKinds)[number]

export interface PaymentEffect {
  readonly kind: EffectKind
  /** In the currency of the order; fees of the processor in US cents. */
  readonly amount: Minor
  /** Of its kind, this one included. */
  readonly sum: Minor
  readonly transfers: readonly Transfer[]
}
