/** A fault that once passed every test, and the tests that notice it since. */
export type Fault = {
  readonly id: string
  /** What is wrong with the gateway while it is planted. */
  readonly what: string
  /** From the repository's root. */
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files, of which one at least turns red. */
  readonly tests: readonly string[]
  /** Planted with all others of these at the same time, too; the rest would stand in one another's way. */
  readonly alsoTogether: boolean
}
