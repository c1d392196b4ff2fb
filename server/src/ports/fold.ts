/** Adds settled generations to the sums that pages are read from, each exactly once. */
export interface UsageFold {
  /** One batch of about this many; one transaction. */
  fold(atMost: number): Promise<FoldedBatch>
}

export interface FoldedBatch {
  readonly folded: number
  /** Whether there may be more at once. */
  readonly isFull: boolean
}
