import type { Minor } from './currency.ts'
import type { PaymentSums } from './top-up.ts'

/** Why a saved card could not be charged: its bank declined, or requires the cardholder to confirm. */
export type ChargeFailure = 'declined' | 'authentication_required'

/** A provider's state of an order at one time. */
export interface PaymentReading {
  /**
   * `open`: can still be paid. `pending`: the payer has completed the payment, and the money is on its way. `paid`: it
   * has arrived. `expired`: can no longer be paid. `absent`: the provider has no such order.
   */
  readonly status: 'open' | 'pending' | 'paid' | 'expired' | 'absent'
  readonly isLive: boolean
  /** Our order id in the provider's records; null if it has no such order. */
  readonly topUpId: string | null
  /** In lower case; null while nothing is paid. */
  readonly currency: string | null
  readonly sums: PaymentSums
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
  /** All disputes of the payment. Missing if the provider tells nothing about them. */
  readonly disputes?: readonly PaymentDispute[]
  /** Why a saved card was not charged. */
  readonly failure?: ChargeFailure | null
}

/** A dispute of a payment, or an inquiry of its bank, by the provider's records. */
export interface PaymentDispute {
  readonly id: string
  /** In the provider's words, such as `needs_response`. */
  readonly status: string
  /** In the provider's words, such as `fraudulent`. */
  readonly reason: string
  /** In the currency of the payment. */
  readonly amount: Minor
  readonly currency: string
  /** Until when the operator can send evidence. */
  readonly evidenceDueAtMs: number | null
  readonly createdAtMs: number
}
