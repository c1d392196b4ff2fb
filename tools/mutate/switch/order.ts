/**
 * The instructions for a run of the mutant runner. They are passed in an environment variable, since vitest starts its
 * processes.
 */
export interface Order {
  /** Folder of the journals. */
  readonly folder: string
  /** Tests that take longer on their own try no mutant in this run. */
  readonly quickMs: number
  /** Whether tests that tried mutants in an earlier run are skipped. */
  readonly skipsTried: boolean
  /** How many tests of one process try a surviving mutant. */
  readonly triesPerMutant: number
  readonly workers: number
  readonly hasEngines: boolean
  /** Only tests that cite one of these clauses try mutants, each until it has caught one. */
  readonly citation?: { readonly ids: readonly string[]; readonly triesPerTest: number }
}

const variable = 'WEIR_TEST_MUTANTS'

export function readOrder(): Order {
  return JSON.parse(process.env[variable] ?? '{}') as Order
}

export function orderEnvironment(order: Order): Record<string, string> {
  return { [variable]: JSON.stringify(order) }
}
