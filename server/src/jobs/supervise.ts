import { setTimeout as wait } from 'node:timers/promises'
import type { FaultWatch } from '#lib/fault-watch.ts'
import type { Part } from './part.ts'

/**
 * Runs the parts of a worker. A part is healthy, or failing: its last round threw, and the next one runs after a pause
 * that doubles each time. A part that has failed three times in a row is down until a round succeeds.
 */
export interface Supervisor {
  readonly parts: readonly PartState[]
  /** Finishes the running rounds, then ends the parts. */
  stop(): Promise<void>
}

export interface PartState {
  readonly name: string
  /** Null while the last round succeeded. */
  readonly failing: { readonly sinceMs: number; readonly times: number } | null
  readonly isDown: boolean
  /** Total failures since the start. */
  readonly failures: number
  readonly succeededAtMs: number | null
}

export function hasSucceeded(part: PartState): part is PartState & { readonly succeededAtMs: number } {
  return part.succeededAtMs !== null
}

export interface SupervisorOptions {
  readonly parts: readonly Part[]
  readonly watch: (part: string) => FaultWatch
  readonly nowMs: () => number
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

const downAfter = 3
const retryFirstMs = 1_000
// Short enough that all parts recover within seconds after Postgres does.
const retryMaxMs = 10_000

export function supervise({ parts, watch, nowMs, pause = waitFor }: SupervisorOptions): Supervisor {
  const stopping = new AbortController()
  const running = parts.map((part) => createRunner(part, watch(part.name), nowMs))
  const ended = Promise.allSettled(running.map((runner) => runner.run(pause, stopping.signal)))
  return {
    get parts() {
      return running.map(({ state }) => state)
    },
    stop: async () => {
      stopping.abort()
      const failure = (await ended).find((end) => end.status === 'rejected')
      if (failure !== undefined) throw failure.reason
    },
  }
}

/** The retry delay after consecutive failures. A frequent part has a short first delay. */
export function retryAfterMs(times: number, everyMs: number): number {
  return Math.min(retryMaxMs, Math.min(everyMs, retryFirstMs) * 2 ** Math.min(times - 1, 20))
}

function createRunner(part: Part, watch: FaultWatch, nowMs: () => number) {
  let failures = 0
  let succeededAtMs: number | null = null

  /** Runs one round; returns the delay until the next. */
  async function round(signal: AbortSignal): Promise<number> {
    try {
      const isMoreDue = await part.run(signal)
      succeededAtMs = nowMs()
      watch.succeeded()
      return isMoreDue === true ? 0 : part.everyMs
    } catch (error) {
      failures += 1
      watch.failed(error)
      return retryAfterMs(watch.failing?.times ?? 1, part.everyMs)
    }
  }

  return {
    get state(): PartState {
      const { failing } = watch
      const isDown = failing !== null && failing.times >= downAfter
      return { name: part.name, failing, isDown, failures, succeededAtMs }
    },
    async run(pause: (ms: number, signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const pauseMs = await round(signal)
        if (pauseMs > 0) await pause(pauseMs, signal)
      }
      await part.end?.()
    },
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}
