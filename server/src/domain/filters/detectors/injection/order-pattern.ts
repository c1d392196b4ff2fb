/**
 * A kind of sentence: the ways it may begin, separated by commas, and what must follow. Pieces of patterns over small
 * letters.
 */
export interface OrderPattern {
  /** Each begins with letters, by which it is found. */
  readonly start: string
  readonly rest: string
  /** It begins with its verb, so that it is only an order where an order may begin. */
  readonly isVerb?: true
}
