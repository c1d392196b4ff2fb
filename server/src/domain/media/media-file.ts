/** An uploaded or fetched file. It can be read several times, and is deleted when its request ends. */
export interface MediaFile {
  /** The sender's file name; a hint, never trusted. */
  readonly name: string
  /** Detected from its first bytes if possible, otherwise the sender's. */
  readonly mediaType: string
  readonly byteCount: number
  readonly content: MediaContent
}

export type MediaContent =
  | { readonly kind: 'disk'; readonly path: string }
  | { readonly kind: 'memory'; readonly bytes: Buffer }

/** A file of a form, with its field name. */
export interface FormFile extends MediaFile {
  readonly field: string
  /** The first bytes, for code that inspects the file without reading all of it. */
  readonly head: Buffer
}
