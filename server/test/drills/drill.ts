import type { TestDatabase } from '#test/setup/database.ts'
import type { Random } from './setup/random.ts'
import type { World } from './setup/world.ts'

/** One fault and its invariants. */
export interface Drill {
  readonly name: string
  /** The requirement of the drill, in a few words. */
  readonly requires: string
  /**
   * The drill judges the memory of a process, which grows further when another program delays the garbage collector.
   */
  readonly alone?: true
  /** The drill mounts a small disk, which needs root; it is skipped where mounting is impossible. */
  readonly mounts?: true
  /** The drill takes minutes or installs programs; the short set skips it unless it is named. */
  readonly long?: true
  /** The database of the drill's world, if it does not use the process's Postgres. */
  readonly openDatabase?: () => Promise<TestDatabase>
  /** The drill starts its own workers, and its world starts with none. */
  readonly hasOwnWorkers?: true
  /** Prepares the world and returns the function for each point; the invariants are checked after every point. */
  start(world: World): Promise<(random: Random, point: number, pace: Pace) => Promise<void>>
}

/** The duration of a point, where it can be chosen. */
export interface Pace {
  readonly isShort: boolean
}
