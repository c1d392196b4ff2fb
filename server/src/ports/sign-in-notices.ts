/** What somebody is told by mail while signing up or in. Nobody waits for it: how long it takes must tell nothing. */
export interface SignInNotices {
  /** A link that proves the address. */
  confirmAddress(notice: { readonly to: string; readonly token: string; readonly returnTo: string }): void
  /** A link under which a new password can be chosen; `link` leads to the website where it asked for that. */
  choosePassword(notice: { readonly to: string; readonly token: string; readonly link: string | null }): void
  /** Somebody tried to sign up with an address that has an account. */
  alreadyRegistered(notice: { readonly to: string }): void
}
