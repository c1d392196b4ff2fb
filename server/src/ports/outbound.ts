import type { UrlVerdict } from '#domain/egress/judge-url.ts'

/**
 * Work towards hosts that accounts chose: downloads, webhooks, model list requests. All of it passes here, so that no
 * account uses up the slots, the bytes or the time of the others.
 */
export interface Outbound {
  /** Starts the work in its account's turn. Rejects with a `GatewayError` if the account has too much work queued. */
  run<Result>(ask: OutboundAsk, work: () => Promise<Result>): Promise<Result>
  /** Accounts whose next unit of work would wait. */
  readonly busyAccounts: readonly string[]
}

interface OutboundAsk {
  /** The account that caused it: an organization, or else a wallet. */
  readonly account: string
  /** Maximum bytes of the response to keep in memory. */
  readonly bytesMax: number
  /** Aborts the wait for a turn. */
  readonly signal?: AbortSignal
}

/** Judges URLs that accounts chose. */
export interface Egress {
  /** Judges the text of the URL alone. */
  judgeText(text: string): UrlVerdict
  /** Judges the text, and every current address of the host, looked up in the account's turn. */
  judge(text: string, account: string): Promise<UrlVerdict>
}

/**
 * All addresses of a host, IPv4 and IPv6, looked up in the account's turn. Rejects with a `GatewayError` if the account
 * has too many lookups queued.
 */
export type ResolveHost = (host: string, account: string) => Promise<readonly string[]>
