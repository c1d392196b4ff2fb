import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FuzzOrder, FuzzReport } from './engine/fuzz-target.ts'

const main = fileURLToPath(new URL('./lane.ts', import.meta.url))

/** A process that fuzzes; it is replaced after an input has killed it. */
export interface FuzzLane {
  run(order: FuzzOrder): Promise<FuzzReport | { readonly diedWith: string }>
  end(): Promise<void>
}

export function createLane(): FuzzLane {
  let child: ChildProcess | null = null
  async function end(): Promise<void> {
    const ending = child
    child = null
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.disconnect()
    await exited
  }
  return {
    async run(order) {
      child ??= fork(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      const running = child
      const ended = new AbortController()
      const reported = once(running, 'message', ended).then(([report]): FuzzReport => report)
      const died = once(running, 'exit', ended).then(([code, signal]) => ({ diedWith: String(signal ?? code) }))
      for (const each of [reported, died]) each.catch(() => {})
      running.send(order)
      const outcome = await Promise.race([reported, died])
      ended.abort()
      if ('diedWith' in outcome) child = null
      return outcome
    },
    end,
  }
}
