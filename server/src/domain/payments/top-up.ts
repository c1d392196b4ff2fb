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
 * The state follows from sums that only grow (`judge-payment.ts`), so the order in which a provider's updates arrive
 * does not matter.
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

/**
 * The mismatch between order and payment. A different amount is credited as far as it was paid; after the other
 * mismatches nothing is credited.
 */
export type Mismatch = 'amount' | 'currency' | 'mode' | 'order'

/** The recipient of the money: a payment provider, or the operator's bank. */
export const paymentSources = ['stripe', 'epay', 'bank'] as const
export type PaymentSource = (typeof paymentSources)[number]

export interface TopUp {
  /** Also the id of the ledger transaction that credits the wallet. */
  readonly id: Uuid
  readonly walletId: Uuid
  /** The person who ordered it; null if an operator booked a payment. */
  readonly payerId: Uuid | null
  readonly provider: PaymentSource
  /** False for a provider's test mode. */
  readonly isLive: boolean
  readonly channel: TopUpChannel
  readonly currency: Currency
  /** Null for US dollars. */
  readonly rate: ExchangeRate | null
  /** As quoted, in US dollars and in the currency of the payment. */
  readonly quoted: UsdAmounts
  readonly charged: ChargedAmounts
  /** The rates of fee and tax; null if they were not recorded. */
  readonly percents: TopUpPercents | null
  readonly state: TopUpState
  readonly mismatch: Mismatch | null
  readonly sums: PaymentSums
  /** The amounts booked at payment. */
  readonly booked: UsdAmounts
  /** Its current amount in the account `disputed`. */
  readonly disputed: NanoUsd
  readonly effects: number
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
  readonly checkoutUrl: string | null
  /** The customer whose card is saved with the payment or, with a method, whose saved card is charged off-session. */
  readonly customerRef: string | null
  readonly methodRef: string | null
  /** The reference of a bank transfer. */
  readonly reference: string | null
  /** The number of the invoice that it pays. */
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

/** The totals of a payment. None of them ever shrinks. Processor fees are in US cents. */
export interface PaymentSums {
  readonly paid: Minor
  readonly refunded: Minor
  /** Refunds that failed later, so that the provider has the money again. */
  readonly returned: Minor
  /** Amounts that the provider withdrew because of disputes, and reinstated. */
  readonly withdrawn: Minor
  readonly reinstated: Minor
  /** Disputed amounts that are permanently lost. */
  readonly lost: Minor
  readonly processorFee: Minor
  readonly processorFeeReturned: Minor
}

/** The sums of a payment that has not arrived. */
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
