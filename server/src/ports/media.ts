import type { MediaFile } from '#domain/media/media-file.ts'
import type { MadeImage } from '#domain/media/media-result.ts'

/** The account for which something is fetched, and how long it is needed. */
export interface Behalf {
  /** An organization, or else a wallet. */
  readonly account: string
  readonly signal: AbortSignal
}

/** Stores images for an hour for their client to fetch. */
export interface ImagePublisher {
  /** Throws a `pipelineError` if it cannot be fetched or stored, or is not an image. */
  host(image: MadeImage, on: Behalf): Promise<StoredImage>
}

export interface StoredImage {
  /** The part of the URL after `/v1/images/proxy/`. */
  readonly token: string
  readonly width: number
  readonly height: number
}

/** Fetches images from URLs that clients chose. */
export interface ImageSource {
  /**
   * Throws `invalidImageUrl`, `invalidImageType` or `imageTooLarge` if it cannot be fetched, is not an image or is too
   * large.
   */
  fetch(url: string, on: Behalf): Promise<FetchedImage>
}

export interface FetchedImage {
  readonly file: MediaFile
  /** Removes the file. The request that fetched it does so after its last read. */
  discard(): Promise<void>
}

/** Fetches files from URLs that others chose, within the rules for such URLs, in the account's turn. */
export interface RemoteFiles {
  /**
   * Writes the content of a URL to a new file. A failure may leave a partial file. Rejects with a `GatewayError` if the
   * account has too much work queued.
   */
  download(url: string, to: DownloadOptions): Promise<Download>
}

export interface DownloadOptions {
  /** The account that caused it: an organization, or else a wallet. */
  readonly account: string
  readonly path: string
  readonly bytesMax: number
  /** Time limit from the start of the account's turn, including redirects. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Download =
  | { readonly ok: true; readonly byteCount: number }
  /** `why` is internal: it may reveal the URL and the server behind it. */
  | { readonly ok: false; readonly reason: 'not-allowed' | 'failed' | 'too-large'; readonly why: string }

/** Folders for files that exist no longer than their request. */
export interface TemporaryFolders {
  make(): Promise<string>
  remove(folder: string): Promise<void>
}
