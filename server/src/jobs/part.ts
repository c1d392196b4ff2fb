/** A row of the worker's table (`worker-parts.ts`): a recurring task. */
export interface Part {
  /** For the log, the metrics and `/ready`. */
  readonly name: string
  readonly everyMs: number
  /**
   * Runs one round. True means that the next is due at once. A round that throws has failed and is retried
   * (`supervise.ts`).
   */
  readonly run: (signal: AbortSignal) => Promise<boolean | void>
  /** Runs after the last round: finishes started work and closes the part's resources. */
  readonly end?: () => Promise<void>
  /** Other parts depend on this part: its first round runs before any of theirs. */
  readonly isFirst?: true
}
