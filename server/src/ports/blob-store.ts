/** Keeps bytes that are too large for a database, under keys of our own making: `images/2026-11-15-08/<id>`. */
export interface BlobStore {
  put(key: string, content: BlobContent): Promise<void>
  /** Null where there is none. `range` is inclusive; the store trusts it to lie within the blob. */
  open(key: string, range?: BlobRange): Promise<OpenBlob | null>
  /** What is known of a blob without its bytes. */
  head(key: string): Promise<BlobHead | null>
  /** Removes a blob; one that is not there is no fault. */
  remove(key: string): Promise<void>
  /** Keys that begin with a prefix, in order, at most `limit` of them. */
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
  /** The whole of it, or the range. */
  readonly bytes: AsyncIterable<Buffer>
}
