/** A fault that once passed every test, and the tests that now notice it. */
export type Fault = {
  readonly id: string
  /** How the gateway misbehaves while the fault is planted. */
  readonly what: string
  /** Relative to the repository's root. */
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files, at least one of which fails. */
  readonly tests: readonly string[]
  /** Also planted together with all others of this kind. The rest would interfere with each other. */
  readonly alsoTogether: boolean
}
