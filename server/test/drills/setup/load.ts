import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Call, Transcript } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Load {
  readonly running: readonly Call[]
  /**
   * Resolves when this many more requests have ended. Drills strike after requests and not after a time, so the
   * machine's speed does not matter.
   */
  waitForEnds(count: number): Promise<void>
  /** Resolves when every request that is now in progress has ended. */
  waitForTurnover(): Promise<void>
  /** Stops after the running requests have ended. */
  stop(): Promise<readonly Transcript[]>
}

interface LoadOptions {
  readonly targets: () => readonly { url: string }[]
  readonly callers: readonly TestClient[]
  readonly clients: number
  /** The fields of every request besides its question. */
  readonly body?: JsonObject
}

/** Starts clients that send requests repeatedly, streaming or not, to the chosen gateways. */
export function startLoad(world: World, random: Random, options: LoadOptions): Load {
  const seen: Transcript[] = []
  const running = new Set<Call>()
  const stopping = new AbortController()
  const ends = createCounter()

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      const targets = options.targets()
      if (targets.length === 0) {
        await wait(10)
        continue
      }
      const call = world.call(
        random.pick(targets),
        random.pick(options.callers),
        chatBody({ stream: random.chance(0.5), ...options.body }),
      )
      seen.push(call.soFar)
      running.add(call)
      const { end, status } = await call.ended
      running.delete(call)
      ends.add()
      if (end !== 'complete' || status !== 200) await wait(20)
    }
  }

  const clients = Array.from({ length: options.clients }, client)
  return {
    get running() {
      return [...running]
    },
    waitForEnds: ends.waitForMore,
    waitForTurnover: async () => void (await Promise.all([...running].map(({ ended }) => ended))),
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
      return seen
    },
  }
}

function createCounter(): { add(): void; waitForMore(count: number): Promise<void> } {
  let total = 0
  const waiting = new Set<{ until: number; resolve: () => void }>()
  return {
    add: () => {
      total += 1
      for (const one of waiting) if (total >= one.until) one.resolve()
    },
    waitForMore: async (count) => {
      if (count === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const one = { until: total + count, resolve }
      waiting.add(one)
      await promise
      waiting.delete(one)
    },
  }
}

/** The simulator's scenario under load: streams that last a while, so that a fault hits some of them midway. */
export const loadScenario = { kind: 'fast', chunks: 16, firstByteDelayMs: 15, chunkDelayMs: 8 } as const
