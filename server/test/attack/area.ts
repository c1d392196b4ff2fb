import type { Random } from '#test/drills/setup/random.ts'
import type { AttackWorld } from './setup/attack-world.ts'
import type { Report } from './setup/report.ts'

/** One way of being hostile, and what must hold against it. */
export interface Area {
  readonly name: string
  /** What it tries, in one line. */
  readonly tries: string
  /** What a process must tell its operator meanwhile; any other error in its log is a finding. */
  readonly alarm?: RegExp
  run(attack: Attack): Promise<void>
}

/** What an area works with. */
export interface Attack {
  readonly world: AttackWorld
  readonly report: Report
  readonly random: Random
  /** Whether a sample must do. */
  readonly isShort: boolean
}
