import type { MediaFile } from '#domain/media/media-file.ts'
import type { MadeImage } from '#domain/media/media-result.ts'

/** For whom something is fetched, and until when they want it. */
export interface Behalf {
  /** An organization, or else a wallet. */
  readonly account: string
  readonly signal: AbortSignal
}

/** Keeps images for an hour, where their client can fetch them. */
export interface ImagePublisher {
  /** Throws a `pipelineError` for what cannot be fetched, is no image, or cannot be stored. */
  host(image: MadeImage, on: Behalf): Promise<StoredImage>
}

export interface StoredImage {
  /** What stands behind `/v1/images/proxy/`. */
  readonly token: string
  readonly width: number
  readonly height: number
}

/** Fetches images from addresses that clients chose. */
export interface ImageSource {
  /**
   * Throws an `invalidImageUrl`, `invalidImageType` or `imageTooLarge` for what cannot be fetched, is no image or is
   * too much.
   */
  fetch(url: string, on: Behalf): Promise<FetchedImage>
}

export interface FetchedImage {
  readonly file: MediaFile
  /** Removes the file. The request that had it fetched does so after its last read. */
  discard(): Promise<void>
}

/**
 * Fetches files from addresses that others chose, as far as the rules for such addresses let it, in the turn of an
 * account.
 */
export interface RemoteFiles {
  /**
   * Writes what an address holds to a new file. The file may be there in part where it fails. Rejects with a
   * `GatewayError` where the account has too much waiting.
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

/** Folders for files that live no longer than their request. */
export interface TemporaryFolders {
  make(): Promise<string>
  remove(folder: string): Promise<void>
}
