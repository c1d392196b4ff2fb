/** Fetches files from addresses that others chose, as far as the rules for such addresses let it. */
export interface RemoteFiles {
  /** Writes what an address holds to a new file. The file may be there in part where it fails. */
  download(url: string, to: DownloadOptions): Promise<Download>
}

export interface DownloadOptions {
  readonly path: string
  readonly bytesMax: number
  /** For all of it, redirects included. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Download =
  | { readonly ok: true; readonly byteCount: number }
  /** `why` is for us: it may tell of the address and of what is behind it. */
  | { readonly ok: false; readonly reason: 'not-allowed' | 'failed' | 'too-large'; readonly why: string }
