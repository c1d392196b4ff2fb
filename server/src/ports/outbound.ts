/**
 * Work towards hosts that accounts have named: downloads, webhooks, questions for a list of models. All of it passes here, so
 * that no account takes the places, the bytes or the patience of the others.
 */
export interface Outbound {
  /** Begins the work in its account's turn. Rejects with a `GatewayError` where the account has too much waiting. */
  run<Result>(ask: OutboundAsk, work: () => Promise<Result>): Promise<Result>
  /** Accounts whose next piece of work would wait. */
  readonly busyAccounts: readonly string[]
}

export interface OutboundAsk {
  /** Who has caused it: an organization, or else a wallet. */
  readonly account: string
  /** As much as may be kept of what the host sends. */
  readonly bytesMax: number
  /** Ends the wait for a turn. */
  readonly signal?: AbortSignal
}
