/** Fetches files from addresses that others chose, as far as the rules for such addresses let it, in the turn of an account. */
export interface RemoteFiles {
  /**
   * Writes what an address holds to a new file. The file may be there in part where it fails. Rejects with a `GatewayError`
   * where the account has too much waiting.
   */
  download(url: string, to: DownloadOptions): Promise<Download>
}

export interface DownloadOptions {
  /** Who has caused it: an organization, or else a wallet. */
  readonly account: string
  readonly path: string
  readonly bytesMax: number
  /** For all of it, redirects included, from its turn on. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Download =
  | { readonly ok: true; readonly byteCount: number }
  /** `why` is for us: it may tell of the address and of what is behind it. */
  | { readonly ok: false; readonly reason: 'not-allowed' | 'failed' | 'too-large'; readonly why: string }
