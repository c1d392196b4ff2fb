import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Timers } from '#lib/timers.ts'

/** Timers whose time passes only when the test advances it. */
export interface TestTimers extends Timers {
  /**
   * Advances the time. Timers due at the same time run in one turn of the event loop, including timers that are started
   * in it.
   */
  pass(ms: number): Promise<void>
}

export function createTestTimers(): TestTimers {
  let now = 0
  const waiting = new Set<{ readonly atMs: number; readonly run: () => void }>()

  async function pass(ms: number): Promise<void> {
    const endMs = now + ms
    for (;;) {
      // Pending messages and promises come first.
      await nextTurn()
      const nextMs = Math.min(...[...waiting].map(({ atMs }) => atMs))
      if (nextMs > endMs) break
      now = nextMs
      for (const timer of [...waiting].filter(({ atMs }) => atMs === nextMs)) {
        waiting.delete(timer)
        timer.run()
      }
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
