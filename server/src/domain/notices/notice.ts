/** Email notices about a wallet. Amounts are decimal USD. */
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
