import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Timers } from '#lib/timers.ts'

/** Time that passes when the test says so. */
export interface TestTimers extends Timers {
  /** Lets time pass. Whatever falls due runs in order, each at its own moment, also what was only then begun. */
  pass(ms: number): Promise<void>
}

export function createTestTimers(): TestTimers {
  let now = 0
  const waiting = new Set<{ readonly atMs: number; readonly run: () => void }>()

  async function pass(ms: number): Promise<void> {
    const endMs = now + ms
    for (;;) {
      // Messages and promises of the moment come first.
      await nextTurn()
      const [next] = [...waiting].toSorted((one, other) => one.atMs - other.atMs)
      if (next === undefined || next.atMs > endMs) break
      now = next.atMs
      waiting.delete(next)
      next.run()
    }
    now = endMs
    await nextTurn()
  }

  return {
    nowMs: () => now,
    after: (ms, run) => {
      const entry = { atMs: now + ms, run }
      waiting.add(entry)
      return { cancel: () => void waiting.delete(entry), unref: () => {} }
    },
    pass,
  }
}
