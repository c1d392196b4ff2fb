/** How an upstream is told who asks. */
export type Authentication =
  | { readonly kind: 'bearer' }
  /** `scheme` stands before the key, as in `Key abc`. */
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: string }
  | { readonly kind: 'optional-bearer' }
  /** The request itself is signed, after it is built (AWS Signature Version 4). */
  | { readonly kind: 'sigv4'; readonly service: string }
  /** `ACCESS:SECRET`, of which short-lived tokens are made; see `shownCredential`. A key without a colon is a bearer. */
  | { readonly kind: 'key-pair' }
