import type { Random } from '#test/drills/setup/random.ts'
import type { AttackWorld } from './setup/attack-world.ts'
import type { Report } from './setup/report.ts'

/** One kind of attack and its expectations. */
export interface Area {
  readonly name: string
  /** A one-line description. */
  readonly tries: string
  /** The alarm that a process must log meanwhile; any other logged error is a finding. */
  readonly alarm?: RegExp
  run(attack: Attack): Promise<void>
}

/** The context of an area. */
export interface Attack {
  readonly world: AttackWorld
  readonly report: Report
  readonly random: Random
  /** Whether the area only runs a sample. */
  readonly isShort: boolean
}
