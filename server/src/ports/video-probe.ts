/** How long a video is, of one at an address that a caller chose. */
export interface VideoProbe {
  /** Milliseconds; null where it can not be fetched or read. */
  durationOf(url: string): Promise<number | null>
}
