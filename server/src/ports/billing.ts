import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { BillingDocument, DocumentKind } from '#domain/billing/billing-document.ts'
import type { BillingProfile, Issuer } from '#domain/billing/parties.ts'
import type { TaxRates } from '#domain/billing/tax-rates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The billing details that owners of wallets want on documents. */
export interface BillingProfiles {
  /** Null if the owner has not set any. */
  find(walletId: Uuid): Promise<BillingProfile | null>
  put(walletId: Uuid, profile: BillingProfile, entry: AuditEntry): Promise<void>
}

/** Receipts, credit notes and invoices. The transactions that they document issue them. */
export interface BillingDocuments {
  /** Also null if it belongs to another wallet. */
  find(walletId: Uuid, number: string): Promise<BillingDocument | null>
  /** The newest first. */
  list(query: DocumentQuery): Promise<readonly BillingDocument[]>
}

export interface DocumentQuery {
  /** Null for all wallets. */
  readonly walletId: Uuid | null
  readonly kind: DocumentKind | null
  readonly before: Uuid | null
  readonly limit: number
}

/** Invoices of organizations that are billed monthly. */
export interface Invoices {
  find(number: string): Promise<Invoice | null>
  /** Bills past months, each once. `isFull`: there may be more. */
  issueDue(
    terms: InvoiceTerms,
    nowMs: number,
  ): Promise<{ readonly issued: readonly string[]; readonly isFull: boolean }>
  /** Queues one mail for each overdue invoice. Returns the invoice numbers, as does the next method. */
  remindDue(issuer: Pick<Issuer, 'creditsUrl'>, nowMs: number): Promise<readonly string[]>
  /** Stops the spending of organizations whose invoice has been overdue for too long. */
  suspendOverdue(issuer: Pick<Issuer, 'creditsUrl'>, nowMs: number): Promise<readonly string[]>
}

export interface InvoiceTerms extends Issuer {
  readonly taxes: TaxRates
  readonly dueDays: number
  /** Maximum days an invoice may be overdue. Zero: spending is never stopped. */
  readonly suspendDays: number
}

export interface Invoice {
  readonly number: string
  readonly walletId: Uuid
  /** The credit from its payment: the total without tax. */
  readonly credit: NanoUsd
  readonly tax: NanoUsd
  readonly taxPercent: number
  /** Credited for it and not refunded. */
  readonly paid: NanoUsd
  readonly dueAtMs: number
  readonly paidAtMs: number | null
  /** Whether an operator has booked a bank transfer with its number. */
  readonly hasTransfer: boolean
  /** The order that waits for payment at a provider. */
  readonly openOrderId: Uuid | null
}
