/** How a request to an upstream is authenticated. */
export type Authentication =
  | { readonly kind: 'bearer' }
  /** `scheme` comes before the key, as in `Key abc`. */
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: string }
  | { readonly kind: 'optional-bearer' }
  /** The finished request itself is signed (AWS Signature Version 4). */
  | { readonly kind: 'sigv4'; readonly service: string }
  /** A token is created for the credential's service account and added to the finished request. */
  | { readonly kind: 'google' }
  /**
   * `ACCESS:SECRET`, from which short-lived tokens are created; see `shownCredential`. A key without a colon is a
   * bearer token.
   */
  | { readonly kind: 'key-pair' }

type LateAuthentication = Extract<Authentication, { kind: 'sigv4' | 'google' }>

/** Whether authorization happens after the request is built, instead of while it is built. */
export function isLate(authentication: Authentication): authentication is LateAuthentication {
  return authentication.kind === 'sigv4' || authentication.kind === 'google'
}
