import { availableParallelism } from 'node:os'

/**
 * The default is four checkers. On two cores that took 19 s of CPU time instead of 13, since each loads the same
 * libraries.
 */
const checkersMax = 4

/** Checks types with one checker per core. */
export function typesCommand(cores = availableParallelism()): string[] {
  return ['tsc', '-p', 'tsconfig.json', '--checkers', String(Math.min(cores, checkersMax))]
}
