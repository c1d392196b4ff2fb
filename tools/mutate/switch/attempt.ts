/** A mutant that a test reached, and whether the test failed with it. */
export interface Attempt {
  readonly id: string
  readonly hasDied: boolean
}
