import type { TestDatabase } from '#test/setup/database.ts'
import type { Random } from './setup/random.ts'
import type { World } from './setup/world.ts'

/** One fault and what must hold through it. */
export interface Drill {
  readonly name: string
  /** What the drill requires, in a few words. */
  readonly requires: string
  /** It judges the memory of a process, which grows further where a neighbour keeps the collector from its work. */
  readonly alone?: true
  /** It mounts a small disk, which needs root: where nothing can be mounted, it is left out. */
  readonly mounts?: true
  /** It takes minutes, or installs programs: the short set is without it, unless it is named. */
  readonly long?: true
  /** Where its world lives, if not in the lane's Postgres. */
  readonly openDatabase?: () => Promise<TestDatabase>
  /** It starts workers of its own, and the only ones; its world begins with none. */
  readonly hasOwnWorkers?: true
  /** Prepares the world and gives what happens at each point; the invariants are checked after every one. */
  start(world: World): Promise<(random: Random, point: number, pace: Pace) => Promise<void>>
}

/** How much time a point may take, where it can be chosen. */
export interface Pace {
  readonly isShort: boolean
}
