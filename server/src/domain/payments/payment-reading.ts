import type { PaymentSums } from './top-up.ts'

/** Why a saved card could not be charged: its bank declines, or wants its owner to confirm the payment. */
export type ChargeFailure = 'declined' | 'authentication_required'

/** What a provider says of an order at one moment. */
export interface PaymentReading {
  /**
   * `open`: can still be paid. `pending`: the payer has done their part, and the money is on its way. `paid`: it has
   * come. `expired`: can no longer be paid. `absent`: the provider knows no such order.
   */
  readonly status: 'open' | 'pending' | 'paid' | 'expired' | 'absent'
  readonly isLive: boolean
  /** What the provider has noted as our id of the order; null where it knows no such order. */
  readonly topUpId: string | null
  /** In lower case; null while nothing is paid. */
  readonly currency: string | null
  readonly sums: PaymentSums
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
  /** Of a saved card that was not charged. */
  readonly failure?: ChargeFailure | null
}
