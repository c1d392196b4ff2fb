import { realImmediate, runAs } from './machine/take-over.ts'
import { type Figures, type StoreFactory, World } from './world.ts'

export interface SeedReport {
  readonly seed: number
  readonly violations: readonly string[]
  readonly figures: Figures
}

/**
 * Runs seeds, `together` at a time. Worlds take turns within one round of the event loop: between two turns all
 * promises of the first are done, so they cannot mix, and sharing a round makes a turn twenty times cheaper.
 */
export async function runSeeds(options: {
  seeds: Iterable<number>
  together: number
  createStore: StoreFactory
  trace?: (line: string) => void
  onSeed?: () => Promise<void>
  /** Returning false ends the run. */
  onReport: (report: SeedReport) => boolean
}): Promise<void> {
  const seeds = options.seeds[Symbol.iterator]()
  let isWanted = true
  const lane = async (): Promise<void> => {
    for (let next = seeds.next(); isWanted && next.done !== true; next = seeds.next()) {
      await options.onSeed?.()
      const world = new World(next.value, options.createStore, options.trace)
      await world.open()
      await runToEnd(world)
      await world.close()
      const report = { seed: next.value, violations: world.violations, figures: world.figures }
      isWanted = options.onReport(report) && isWanted
    }
  }
  await Promise.all(Array.from({ length: options.together }, lane))
}

function runToEnd(world: World): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      const going = world.turn()
      if (going === false) resolve()
      else if (going === true) realImmediate(turn)
      else {
        // A real store responds in real time, by timers and sockets that are not simulated.
        runAs(null)
        going.then(() => realImmediate(turn), reject)
      }
    }
    realImmediate(turn)
  })
}
