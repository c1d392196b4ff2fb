/** How people can sign in here. */
export interface SignInWays {
  readonly secondFactor: boolean
  readonly passkeys: boolean
  readonly providers: readonly string[]
  /** Whether an address must be proven by a mail before the first sign-in. */
  readonly mail: boolean
}
