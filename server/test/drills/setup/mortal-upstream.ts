import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import type { SpawnedSimulator } from '#test/simulators/spawn-simulator.ts'
import { loadScenario } from './load.ts'
import type { World } from './world.ts'

/** An upstream in its own process that can die and return at the same address. */
export interface MortalUpstream {
  readonly url: string
  /** Since when it accepts connections, or null while it is dead. */
  readonly aliveSinceMs: number | null
  readonly isReviving: boolean
  kill(): Promise<void>
  revive(): Promise<void>
}

export async function startMortalUpstream(world: World): Promise<MortalUpstream> {
  const port = await findLastingPort()
  const start = (): Promise<SpawnedSimulator> => world.startSimulator({ port, scenario: loadScenario, record: false })
  let life: SpawnedSimulator = await start()
  let aliveSinceMs: number | null = Date.now()
  let isReviving = false
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
      life = await start()
      aliveSinceMs = Date.now()
      isReviving = false
    },
  }
}
