import type { TestClock } from '#test/setup/clock.ts'
import type { OracleWorld } from './oracle-world.ts'

/** Proves the exact value of a limit with requests to a running gateway. */
export type LimitProof = (place: ProofPlace, value: number) => Promise<void>

export interface ProofPlace {
  readonly world: OracleWorld
  readonly clock: TestClock
}
