/** What people are told by mail about a wallet. Amounts are decimals of USD. */
export type Notice =
  /** A bank declined again and again, so that nothing is bought by itself any more. */
  | { readonly kind: 'auto_top_up_off'; readonly credit: string }
  /** A bank wants the owner of the card to confirm the payment. */
  | { readonly kind: 'auto_top_up_confirm'; readonly credit: string }
