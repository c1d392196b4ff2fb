/** Who issues documents, as configured. */
export interface Seller {
  readonly name: string
  readonly address: string | null
  readonly taxId: string | null
  /** What numbers begin with. */
  readonly prefix: string
}

/** What the owner of a wallet wants to read on documents. */
export interface BillingProfile {
  readonly name: string
  readonly address: string
  /** Two capital letters (ISO 3166-1). */
  readonly country: string | null
  readonly taxId: TaxId | null
  /** Where documents are mailed to. */
  readonly email: string | null
}

export interface TaxId {
  /** Such as `eu_vat`. */
  readonly kind: string
  readonly id: string
}

/** Who a document is for: the profile, or the owner's name where there is none. */
export type Buyer = BillingProfile
