import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from './call.ts'
import { median } from './median.ts'
import type { World } from './world.ts'

const closeWithinMs = 1_000
// Far less than a gateway waits for an upstream, so nothing but the client's leaving can have closed it by then.
const hangMs = 60_000

/** I6: how soon upstreams are closed after their clients have left. */
export interface Closings {
  /** Leaves a call that is at the simulator, and waits until the simulator's side is closed. */
  leave(call: Call, how: 'fin' | 'rst', stage: string): Promise<void>
  /**
   * For all that were left: within a second, or about as soon as this machine brings a call to an upstream at the
   * moment.
   */
  judge(): void
}

export function watchClosings({ simulator }: World): Closings {
  const reachedMs: number[] = []
  const closedMs: number[] = []
  return {
    leave: async (call, how, stage) => {
      const closed = simulator.waitForAbort(0).then(() => true)
      const leftAtMs = Date.now()
      reachedMs.push(leftAtMs - call.soFar.startedAtMs)
      call.leave(how)
      const isClosed = await Promise.race([closed, wait(hangMs, false, { ref: false })])
      assert.ok(isClosed, `I6: ${stage}, ${how}: the upstream was still open after ${hangMs} ms`)
      closedMs.push(Date.now() - leftAtMs)
    },
    // The median, because the machine may keep any single one waiting.
    judge: () => {
      const boundMs = Math.max(closeWithinMs, 3 * median(reachedMs))
      assert.ok(median(closedMs) < boundMs, `I6: upstreams were closed after ${closedMs.join(', ')} ms`)
    },
  }
}
