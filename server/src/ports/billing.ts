import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { BillingDocument, DocumentKind } from '#domain/billing/billing-document.ts'
import type { BillingProfile } from '#domain/billing/parties.ts'
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
