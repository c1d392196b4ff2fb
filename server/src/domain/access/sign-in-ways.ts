/** The available sign-in methods. */
export interface SignInWays {
  readonly secondFactor: boolean
  readonly passkeys: boolean
  readonly providers: readonly string[]
  /** Whether an address must be verified by email before the first sign-in. */
  readonly mail: boolean
}
