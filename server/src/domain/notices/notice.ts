import type { AnnouncedModel, AnnouncementKind } from '#domain/catalogue/announced-model.ts'

/** Email notices to the owners of a wallet. Amounts are decimal USD. */
export type Notice =
  /** A bank declined repeatedly, so automatic top-up is off. */
  | { readonly kind: 'auto_top_up_off'; readonly credit: string }
  /** A bank requires the cardholder to confirm the payment. */
  | { readonly kind: 'auto_top_up_confirm'; readonly credit: string }
  /** An alert threshold was crossed. */
  | {
      readonly kind: 'alert'
      readonly about: 'balance' | 'budget'
      /** For example `$12.40 of $50 left of the monthly budget of the team Research.` */
      readonly words: string
      /** Null for a personal wallet. */
      readonly organization: string | null
    }
  /** The last certificate of a SAML provider ends soon. */
  | {
      readonly kind: 'certificate_ends'
      readonly days: number
      readonly endsAtMs: number
      /** The name of the provider. */
      readonly connection: string
      readonly organization: string
      /** The console's page for sign-on. */
      readonly page: string
    }
  | CatalogueNotice

/** Prices or retirement dates of models that the customer uses. */
export interface CatalogueNotice {
  readonly kind: 'catalogue'
  readonly about: AnnouncementKind
  readonly models: readonly AnnouncedModel[]
  /** When the change was made. */
  readonly sinceMs: number
  /** Null for a personal wallet. */
  readonly organization: string | null
}
