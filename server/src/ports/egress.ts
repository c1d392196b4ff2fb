import type { UrlVerdict } from '#domain/egress/judge-url.ts'

/** Judges URLs that somebody else wrote. */
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
