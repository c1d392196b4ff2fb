/** Something that a worker does round after round. A round that throws has failed, and is made again; see `supervise.ts`. */
export interface Part {
  /** For the log, the figures and `/ready`. */
  readonly name: string
  /** Answers whether the next round is due at once. */
  readonly round: (signal: AbortSignal) => Promise<boolean>
  readonly pauseMs: number
  /** After the last round: lets what was begun come to its end, and closes what the part has opened. */
  readonly end?: () => Promise<void>
}
