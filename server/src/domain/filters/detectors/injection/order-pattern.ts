/**
 * A kind of sentence: its possible beginnings, separated by commas, and the required rest. Both are pattern pieces for
 * lower-case text.
 */
export interface OrderPattern {
  /** Each begins with letters, which trigger the pattern. */
  readonly start: string
  readonly rest: string
  /** It begins with its verb, so it counts only where an imperative can begin. */
  readonly isVerb?: true
}
