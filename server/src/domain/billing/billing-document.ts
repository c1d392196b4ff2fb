import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Currency, Minor } from '../payments/currency.ts'

/**
 * What a buyer keeps. A receipt tells of a payment, a credit note of money that went back, an invoice of a month that
 * is to be paid.
 */
export const documentKinds = ['receipt', 'credit_note', 'invoice'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** What a line is for. `balance` is what was owed or left before the month of an invoice. */
export type LineItem = 'credit' | 'fee' | 'tax' | 'usage' | 'balance'

export interface DocumentLine {
  readonly item: LineItem
  readonly label: string
  /** In the currency of the document. */
  readonly amount: Minor
  readonly amountUsd: NanoUsd
  /** Of the credit or the usage; null where nothing was computed, or it is not known. */
  readonly percent: number | null
}

/** A document that was issued. */
export interface BillingDocument {
  readonly id: Uuid
  readonly number: string
  readonly kind: DocumentKind
  readonly walletId: Uuid
  readonly topUpId: Uuid | null
  readonly currency: Currency
  readonly total: Minor
  readonly totalUsd: NanoUsd
  /** JSON text of all that is shown. */
  readonly snapshot: string
  /** Of the snapshot, in hexadecimal. */
  readonly sha256: string
  readonly issuedAtMs: number
  /** What has become of an invoice; null for other documents. */
  readonly invoice: InvoiceState | null
}

export interface InvoiceState {
  readonly dueAtMs: number
  readonly paidAtMs: number | null
  /** Whether the organization can spend no more until it is paid. */
  readonly isSuspending: boolean
}
