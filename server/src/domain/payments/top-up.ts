import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import { type Currency, type Minor, zeroMinor } from './currency.ts'
import type { ExchangeRate } from './exchange-rate.ts'
import type { ChargedAmounts, TopUpChannel } from './quote-top-up.ts'

/**
 * An order for credit.
 *
 *   open      → paid                what was ordered was paid
 *   open      → expired             nothing was paid in time; a late payment still makes it paid
 *   open      → mismatch            something was paid that cannot be credited; an operator decides
 *   paid      → partly_refunded → refunded
 *   paid      → disputed → won, lost
 *
 * The state follows from sums that only grow (`judge-payment.ts`), so the order in which a provider's news arrive does
 * not matter.
 */
export const topUpStates = [
  'open',
  'expired',
  'mismatch',
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'won',
  'lost',
] as const
export type TopUpState = (typeof topUpStates)[number]

/** What was not as ordered. A different amount is credited as far as it was paid; the others are not credited. */
export type Mismatch = 'amount' | 'currency' | 'mode' | 'order'

/** Who takes the money: a payment provider, or the operator's bank. */
export const paymentSources = ['stripe', 'epay', 'bank'] as const
export type PaymentSource = (typeof paymentSources)[number]

export interface TopUp {
  /** Also of the ledger transaction that credits the wallet. */
  readonly id: Uuid
  readonly walletId: Uuid
  /** The person who ordered it; null where an operator booked a payment. */
  readonly payerId: Uuid | null
  readonly provider: PaymentSource
  /** False for money of a provider's test mode. */
  readonly isLive: boolean
  readonly channel: TopUpChannel
  readonly currency: Currency
  /** Null in US dollars. */
  readonly rate: ExchangeRate | null
  /** As quoted, in US dollars and in the currency of the payment. */
  readonly quoted: UsdAmounts
  readonly charged: ChargedAmounts
  /** What fee and tax were computed with; null where that was not noted. */
  readonly percents: TopUpPercents | null
  readonly state: TopUpState
  readonly mismatch: Mismatch | null
  readonly sums: PaymentSums
  /** What was booked when it was paid. */
  readonly booked: UsdAmounts
  /** What the account `disputed` has of it now. */
  readonly disputed: NanoUsd
  readonly effects: number
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
  readonly checkoutUrl: string | null
  /**
   * Whose card is saved with the payment or, where it has a method, whose saved card is charged while the payer is
   * away.
   */
  readonly customerRef: string | null
  readonly methodRef: string | null
  /** Of a bank transfer. */
  readonly reference: string | null
  /** Of the invoice that it pays. */
  readonly invoiceNumber: string | null
  readonly createdAtMs: number
  readonly paidAtMs: number | null
}

interface TopUpPercents {
  readonly fee: number
  readonly tax: number
}

export interface UsdAmounts {
  readonly credit: NanoUsd
  readonly fee: NanoUsd
  readonly tax: NanoUsd
}

/** What has happened to a payment in all. None of these ever shrinks. Fees of the processor are in US cents. */
export interface PaymentSums {
  readonly paid: Minor
  readonly refunded: Minor
  /** Refunds that failed after all, so that the provider has the money again. */
  readonly returned: Minor
  /** Taken by the provider because of disputes, and given back. */
  readonly withdrawn: Minor
  readonly reinstated: Minor
  /** Of disputes that are lost for good. */
  readonly lost: Minor
  readonly processorFee: Minor
  readonly processorFeeReturned: Minor
}

/** Of a payment that has not come. */
export const noSums: PaymentSums = {
  paid: zeroMinor,
  refunded: zeroMinor,
  returned: zeroMinor,
  withdrawn: zeroMinor,
  reinstated: zeroMinor,
  lost: zeroMinor,
  processorFee: zeroMinor,
  processorFeeReturned: zeroMinor,
}
