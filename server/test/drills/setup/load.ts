import { setTimeout as wait } from 'node:timers/promises'
import type { TestCaller } from '#test/setup/accounts.ts'
import type { Transcript } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Load {
  readonly seen: readonly Transcript[]
  /** Lets the running calls end. */
  stop(): Promise<readonly Transcript[]>
}

/** Clients that call again and again, streaming or not, wherever they are sent. */
export function startLoad(
  world: World,
  random: Random,
  options: { targets: () => readonly { url: string }[]; callers: readonly TestCaller[]; clients: number },
): Load {
  const seen: Transcript[] = []
  const stopping = new AbortController()

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
        chatBody({ stream: random.chance(0.5) }),
      )
      seen.push(call.soFar)
      const { end, status } = await call.ended
      if (end !== 'complete' || status !== 200) await wait(20)
    }
  }

  const clients = Array.from({ length: options.clients }, client)
  return {
    seen,
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
      return seen
    },
  }
}

/** What the simulator plays under load: streams that last a while, so that a fault finds some of them half-way. */
export const loadScenario = { kind: 'fast', chunks: 16, firstByteDelayMs: 15, chunkDelayMs: 8 } as const
