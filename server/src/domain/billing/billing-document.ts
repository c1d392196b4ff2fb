import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Currency, Minor } from '../payments/currency.ts'

/** Documents for a buyer: a receipt for a payment, a credit note for a refund, an invoice for a month. */
export const documentKinds = ['receipt', 'credit_note', 'invoice'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** The kind of a line. `balance` is the debt or credit from before the invoiced month. */
export type LineItem = 'credit' | 'fee' | 'tax' | 'usage' | 'balance'

export interface DocumentLine {
  readonly item: LineItem
  readonly label: string
  /** In the currency of the document. */
  readonly amount: Minor
  readonly amountUsd: NanoUsd
  /** Percentage of the credit or the usage; null if none was computed, or it is unknown. */
  readonly percent: number | null
}

/** An issued document. */
export interface BillingDocument {
  readonly id: Uuid
  readonly number: string
  readonly kind: DocumentKind
  readonly walletId: Uuid
  readonly topUpId: Uuid | null
  readonly currency: Currency
  readonly total: Minor
  readonly totalUsd: NanoUsd
  /** The content as JSON text. */
  readonly snapshot: string
  /** Hash of the snapshot, in hexadecimal. */
  readonly sha256: string
  readonly issuedAtMs: number
  /** The state of an invoice; null for other documents. */
  readonly invoice: InvoiceState | null
}

export interface InvoiceState {
  readonly dueAtMs: number
  readonly paidAtMs: number | null
  /** Whether the organization cannot spend until the invoice is paid. */
  readonly isSuspending: boolean
}
