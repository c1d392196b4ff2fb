import type { UrlVerdict } from '#domain/egress/judge-url.ts'

/**
 * Work towards hosts that accounts have named: downloads, webhooks, questions for a list of models. All of it passes
 * here, so that no account takes the places, the bytes or the patience of the others.
 */
export interface Outbound {
  /** Begins the work in its account's turn. Rejects with a `GatewayError` where the account has too much waiting. */
  run<Result>(ask: OutboundAsk, work: () => Promise<Result>): Promise<Result>
  /** Accounts whose next piece of work would wait. */
  readonly busyAccounts: readonly string[]
}

interface OutboundAsk {
  /** Who has caused it: an organization, or else a wallet. */
  readonly account: string
  /** As much as may be kept of what the host sends. */
  readonly bytesMax: number
  /** Ends the wait for a turn. */
  readonly signal?: AbortSignal
}

/** Judges URLs that accounts wrote. */
export interface Egress {
  /** By the text alone. */
  judgeText(text: string): UrlVerdict
  /** By the text and by every address that its host has now, looked up in the account's turn. */
  judge(text: string, account: string): Promise<UrlVerdict>
}

/**
 * All addresses of a host, of both families, looked up in the turn of the account that wants them. Rejects with a
 * `GatewayError` where that account has too many lookups waiting.
 */
export type ResolveHost = (host: string, account: string) => Promise<readonly string[]>
