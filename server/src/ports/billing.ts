import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { BillingDocument, DocumentKind } from '#domain/billing/billing-document.ts'
import type { BillingProfile, Issuer } from '#domain/billing/parties.ts'
import type { TaxRates } from '#domain/billing/tax-rates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The billing details that wallet owners want on their documents. */
export interface BillingProfiles {
  /** Null if the owner has not set any. */
  find(walletId: Uuid): Promise<BillingProfile | null>
  put(walletId: Uuid, profile: BillingProfile, entry: AuditEntry): Promise<void>
}

/** Receipts, credit notes and invoices. Each is issued by the transaction that it documents. */
export interface BillingDocuments {
  /** Also null if it belongs to another wallet. */
  find(walletId: Uuid, number: string): Promise<BillingDocument | null>
  /** A document of any wallet, for operators. */
  findAny(number: string): Promise<BillingDocument | null>
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
  /** Bills past months, each once. If `isFull`, there may be more to bill. */
  issueDue(
    terms: InvoiceTerms,
    nowMs: number,
  ): Promise<{ readonly issued: readonly string[]; readonly isFull: boolean }>
  /** Queues one mail for each overdue invoice. Returns the invoice numbers. */
  remindDue(issuer: Pick<Issuer, 'creditsUrl'>, nowMs: number): Promise<readonly string[]>
  /** Stops the spending of organizations whose invoice has been overdue for too long. Returns the invoice numbers. */
  suspendOverdue(issuer: Pick<Issuer, 'creditsUrl'>, nowMs: number): Promise<readonly string[]>
}

export interface InvoiceTerms extends Issuer {
  readonly taxes: TaxRates
  readonly dueDays: number
  /** Days after which an overdue invoice stops spending. Zero: never. */
  readonly suspendDays: number
}

export interface Invoice {
  readonly number: string
  readonly walletId: Uuid
  /** The credit that paying the invoice gives: the total without tax. */
  readonly credit: NanoUsd
  readonly tax: NanoUsd
  readonly taxPercent: number
  /** The amount credited for the invoice and not refunded. */
  readonly paid: NanoUsd
  readonly dueAtMs: number
  readonly paidAtMs: number | null
  /** Whether an operator has booked a bank transfer with the invoice's number. */
  readonly hasTransfer: boolean
  /** The order that waits for payment at a provider. */
  readonly openOrderId: Uuid | null
}
