import type { Transfer } from '#domain/ledger/transfer.ts'
import type { Minor } from './currency.ts'

/** The effects booked for an order, one ledger transaction each, in the order in which they can occur. */
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
  /** In the currency of the order; processor fees in US cents. */
  readonly amount: Minor
  /** The total of its kind, including this one. */
  readonly sum: Minor
  readonly transfers: readonly Transfer[]
}
