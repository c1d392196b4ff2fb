import { setTimeout as wait } from 'node:timers/promises'
import type { SpawnedSimulator } from '#test/simulators/spawn-simulator.ts'
import { loadScenario } from './load.ts'
import type { World } from './world.ts'

/** An upstream in a process of its own that can die and come back at the same address. */
export interface MortalUpstream {
  readonly url: string
  /** Since when it takes connections; null while it is dead. */
  readonly aliveSinceMs: number | null
  readonly isReviving: boolean
  kill(): Promise<void>
  revive(): Promise<void>
}

const triesMax = 20

export async function startMortalUpstream(world: World): Promise<MortalUpstream> {
  const start = (port: number): Promise<SpawnedSimulator> =>
    world.startSimulator({ port, scenario: loadScenario, record: false })
  let life: SpawnedSimulator = await start(0)
  let aliveSinceMs: number | null = Date.now()
  let isReviving = false
  const port = Number(new URL(life.url).port)

  // A connection of somebody else may have got the port meanwhile, for a moment.
  async function startAgain(): Promise<SpawnedSimulator> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await start(port)
      } catch (error) {
        if (tries === triesMax) throw error
        await wait(100)
      }
    }
  }

  return {
    url: life.url,
    get aliveSinceMs() {
      return aliveSinceMs
    },
    get isReviving() {
      return isReviving
    },
    kill: async () => {
      aliveSinceMs = null
      await life.kill()
    },
    revive: async () => {
      isReviving = true
      life = await startAgain()
      aliveSinceMs = Date.now()
      isReviving = false
    },
  }
}
