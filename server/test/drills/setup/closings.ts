import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from './call.ts'
import { median } from './median.ts'
import type { World } from './world.ts'

const closeWithinMs = 1_000
// Far less than a gateway's upstream timeout, so only the client's disconnect can have closed it by then.
const hangMs = 60_000

/** I6: how soon upstream connections are closed after their clients have disconnected. */
export interface Closings {
  /** Disconnects a client whose request is at the simulator, and waits until the simulator's side is closed. */
  leave(call: Call, how: 'fin' | 'rst', stage: string): Promise<void>
  /**
   * Checks all of them: they must close within a second, or about as fast as this machine currently delivers a request
   * to an upstream.
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
    // The median counts, because the machine may delay any single request.
    judge: () => {
      const boundMs = Math.max(closeWithinMs, 3 * median(reachedMs))
      assert.ok(median(closedMs) < boundMs, `I6: upstreams were closed after ${closedMs.join(', ')} ms`)
    },
  }
}
