import type { TestClock } from '#test/setup/clock.ts'
import type { OracleWorld } from './oracle-world.ts'

/** Shows by calls to a running gateway that a limit is this number, and not another. */
export type LimitProof = (place: ProofPlace, value: number) => Promise<void>

export interface ProofPlace {
  readonly world: OracleWorld
  readonly clock: TestClock
}
