/** How an upstream is told who asks. */
export type Authentication =
  | { readonly kind: 'bearer' }
  /** `scheme` stands before the key, as in `Key abc`. */
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: string }
  | { readonly kind: 'optional-bearer' }
  /** The request itself is signed, after it is built (AWS Signature Version 4). */
  | { readonly kind: 'sigv4'; readonly service: string }
  /** A token is minted for the service account that the credential is of, and added to the finished request. */
  | { readonly kind: 'google' }
  /**
   * `ACCESS:SECRET`, of which short-lived tokens are made; see `shownCredential`. A key without a colon is a bearer.
   */
  | { readonly kind: 'key-pair' }

type LateAuthentication = Extract<Authentication, { kind: 'sigv4' | 'google' }>

/** Whether the finished request is authorized, instead of its credential being put into it while it is built. */
export function isLate(authentication: Authentication): authentication is LateAuthentication {
  return authentication.kind === 'sigv4' || authentication.kind === 'google'
}
