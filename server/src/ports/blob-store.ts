/** Stores bytes that are too large for a database, under keys that we create: `images/2026-11-15-08/<id>`. */
export interface BlobStore {
  put(key: string, content: BlobContent): Promise<void>
  /** Null if there is no such blob. `range` is inclusive and must be within the blob; the store does not check it. */
  open(key: string, range?: BlobRange): Promise<OpenBlob | null>
  /** Metadata of a blob without its bytes. */
  head(key: string): Promise<BlobHead | null>
  /** Removes a blob. Removing a missing blob is not an error. */
  remove(key: string): Promise<void>
  /** Keys with a prefix, in order, at most `limit`. */
  list(prefix: string, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface BlobContent {
  readonly bytes: Buffer | AsyncIterable<Buffer>
  readonly byteCount: number
  readonly contentType: string
}

export interface BlobRange {
  readonly first: number
  readonly last: number
}

export interface BlobHead {
  readonly byteCount: number
  readonly contentType: string
}

export interface OpenBlob extends BlobHead {
  /** The whole blob, or the range. */
  readonly bytes: AsyncIterable<Buffer>
}
