/** Something that was uploaded or fetched. It is read as often as it is sent, and gone when its request is over. */
export interface MediaFile {
  /** As the sender called it; a hint, never trusted. */
  readonly name: string
  /** Found from its first bytes where they tell; what the sender said otherwise. */
  readonly mediaType: string
  readonly byteCount: number
  readonly content: MediaContent
}

export type MediaContent =
  | { readonly kind: 'disk'; readonly path: string }
  | { readonly kind: 'memory'; readonly bytes: Buffer }

/** A file of a form, with the name of the field it came in. */
export interface FormFile extends MediaFile {
  readonly field: string
  /** How it begins, for code that must look inside without reading all of it. */
  readonly head: Buffer
}
