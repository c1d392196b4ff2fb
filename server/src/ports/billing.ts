import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { BillingDocument, DocumentKind } from '#domain/billing/billing-document.ts'
import type { BillingProfile, Seller } from '#domain/billing/parties.ts'
import type { TaxRates } from '#domain/billing/tax-rates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What owners of wallets want to read on documents. */
export interface BillingProfiles {
  /** Null: the owner has said nothing. */
  find(walletId: Uuid): Promise<BillingProfile | null>
  put(walletId: Uuid, profile: BillingProfile, entry: AuditEntry): Promise<void>
}

/** Receipts, credit notes and invoices. They are issued by the transactions that they tell of. */
export interface BillingDocuments {
  /** Null also where it is of another wallet. */
  find(walletId: Uuid, number: string): Promise<BillingDocument | null>
  /** The newest first. */
  list(query: DocumentQuery): Promise<readonly BillingDocument[]>
}

export interface DocumentQuery {
  /** Null: of all wallets. */
  readonly walletId: Uuid | null
  readonly kind: DocumentKind | null
  readonly before: Uuid | null
  readonly limit: number
}

/** Mails that documents wait to be told by. */
export interface BillingMails {
  /** Mails that are due. Another worker gets them only after `leaseMs`. */
  claimDue(claim: { readonly atMost: number; readonly leaseMs: number }): Promise<readonly BillingMail[]>
  markSent(mail: BillingMail): Promise<void>
}

export interface BillingMail {
  readonly kind: 'issued' | 'reminder' | 'suspended'
  readonly recipient: string
  readonly document: BillingDocument
}

/** Invoices of organizations that are billed monthly. */
export interface Invoices {
  find(number: string): Promise<Invoice | null>
  /** Bills months that are over, each once. `isFull`: there may be more. */
  issueDue(
    terms: InvoiceTerms,
    nowMs: number,
  ): Promise<{ readonly issued: readonly string[]; readonly isFull: boolean }>
  /** Has a mail sent for each invoice that is overdue, once. Answers their numbers, as does the next. */
  remindDue(nowMs: number): Promise<readonly string[]>
  /** Stops the spending of organizations whose invoice has been overdue for too long. */
  suspendOverdue(nowMs: number): Promise<readonly string[]>
}

export interface InvoiceTerms {
  readonly seller: Seller
  readonly taxes: TaxRates
  readonly dueDays: number
  /** How long an invoice may be overdue; zero: spending is never stopped. */
  readonly suspendDays: number
}

export interface Invoice {
  readonly number: string
  readonly walletId: Uuid
  /** What its payment credits the wallet: the total without tax. */
  readonly credit: NanoUsd
  readonly tax: NanoUsd
  readonly taxPercent: number
  /** What was credited for it and has not gone back. */
  readonly paid: NanoUsd
  readonly dueAtMs: number
  readonly paidAtMs: number | null
  /** Whether an operator has booked a bank transfer with its number. */
  readonly hasTransfer: boolean
  /** The order that waits to be paid at a provider. */
  readonly openOrderId: Uuid | null
}
