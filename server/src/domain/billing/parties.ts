/** The issuer of documents, as configured. */
export interface Seller {
  readonly name: string
  readonly address: string | null
  readonly taxId: string | null
  /** Prefix of document numbers. */
  readonly prefix: string
}

/** The issuer of documents, and the page that emails about them link to. */
export interface Issuer {
  readonly seller: Seller
  /** The console's page for credit. */
  readonly creditsUrl: string
}

/** The billing details of a wallet's owner. */
export interface BillingProfile {
  readonly name: string
  readonly address: string
  /** Two capital letters (ISO 3166-1). */
  readonly country: string | null
  readonly taxId: TaxId | null
  /** The email address for documents. */
  readonly email: string | null
}

export interface TaxId {
  /** For example `eu_vat`. */
  readonly kind: string
  readonly id: string
}

/** The recipient of a document: the profile, or the owner's name if there is none. */
export type Buyer = BillingProfile
