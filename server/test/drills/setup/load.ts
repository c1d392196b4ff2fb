import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Call, Transcript } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Load {
  /** Calls that are under way. */
  readonly running: readonly Call[]
  /**
   * Resolves when so many more calls have ended. Drills strike after calls and not after a time, whatever the machine's
   * pace.
   */
  waitForEnds(count: number): Promise<void>
  /** Resolves when every call that is under way now has ended. */
  waitForTurnover(): Promise<void>
  /** Lets the running calls end. */
  stop(): Promise<readonly Transcript[]>
}

interface LoadOptions {
  readonly targets: () => readonly { url: string }[]
  readonly callers: readonly TestClient[]
  readonly clients: number
  /** What every call says beside its question. */
  readonly body?: JsonObject
}

/** Clients that call again and again, streaming or not, wherever they are sent. */
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

/** What the simulator plays under load: streams that last a while, so that a fault finds some of them half-way. */
export const loadScenario = { kind: 'fast', chunks: 16, firstByteDelayMs: 15, chunkDelayMs: 8 } as const
