import type { TestClock } from '#test/setup/clock.ts'
import type { OracleWorld } from './oracle-world.ts'

/** Proves by requests to a running gateway that a limit has exactly this value. */
export type LimitProof = (place: ProofPlace, value: number) => Promise<void>

export interface ProofPlace {
  readonly world: OracleWorld
  readonly clock: TestClock
}
