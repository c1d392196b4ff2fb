/** How long a video is, of one at an address that a caller chose. */
export interface VideoProbe {
  /** Milliseconds; null where it can not be fetched or read. It is fetched in the account's turn. */
  durationOf(url: string, account: string): Promise<number | null>
}
