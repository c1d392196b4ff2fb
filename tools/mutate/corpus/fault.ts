/** A fault that once passed every test, and the tests that now catch it. */
export type Fault = {
  readonly id: string
  /** How the gateway misbehaves while the fault is planted. */
  readonly what: string
  /** Relative to the repository's root. */
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files of which at least one must fail. */
  readonly tests: readonly string[]
  /** Also planted together with all other faults of this kind. The remaining faults would interfere with each other. */
  readonly alsoTogether: boolean
}
