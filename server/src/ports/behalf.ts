/** For whom something is fetched, and until when they want it. */
export interface Behalf {
  /** An organization, or else a wallet. */
  readonly account: string
  readonly signal: AbortSignal
}
