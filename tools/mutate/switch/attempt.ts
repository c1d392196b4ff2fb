/** A mutant that a test reached, and whether it turned the test red. */
export interface Attempt {
  readonly id: string
  readonly hasDied: boolean
}
