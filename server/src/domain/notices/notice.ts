/** What people are told by mail about a wallet. Amounts are decimals of USD. */
export type Notice =
  /** A bank declined again and again, so that nothing is bought by itself any more. */
  | { readonly kind: 'auto_top_up_off'; readonly credit: string }
  /** A bank wants the owner of the card to confirm the payment. */
  | { readonly kind: 'auto_top_up_confirm'; readonly credit: string }
  /** A threshold was crossed that the owner wants to hear of. */
  | {
      readonly kind: 'alert'
      readonly about: 'balance' | 'budget'
      /** Such as `$12.40 of $50 left of the monthly budget of the team Research.` */
      readonly words: string
      /** Null: the wallet is a person's own. */
      readonly organization: string | null
    }
