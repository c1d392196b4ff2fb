/** A row of the worker's table (`worker-parts.ts`): something it does again and again. */
export interface Part {
  /** For the log, the figures and `/ready`. */
  readonly name: string
  readonly everyMs: number
  /** One round. True: the next is due at once. A round that throws has failed, and is made again (`supervise.ts`). */
  readonly run: (signal: AbortSignal) => Promise<boolean | void>
  /** After the last round: lets what was begun come to its end, and closes what the part has opened. */
  readonly end?: () => Promise<void>
  /** Others build upon it: its first round comes before any of theirs. */
  readonly isFirst?: true
}
