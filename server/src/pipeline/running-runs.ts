import type { Invalidation } from '#domain/access/invalidation.ts'
import type { RunStop, RunTerms } from '#domain/runs/run.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The running requests of runs in this process, so that a stop can end them. */
export interface RunningRuns {
  /** Calls `end` once a run of the path is stopped: at once if the stop came while the hold was being placed. */
  watch(requestId: Uuid, run: Pick<RunTerms, 'path'>, end: (stop: RunStop) => void): void
  release(requestId: Uuid): void
  /** Ends the requests of a stopped run and of the runs below it. */
  noteStop(invalidation: Invalidation): void
  readonly size: number
}

interface Running {
  readonly path: readonly Uuid[]
  readonly end: (stop: RunStop) => void
}

// Stops are remembered for requests whose hold is being placed, which takes seconds at most.
const stopsMax = 10_000

export function createRunningRuns(): RunningRuns {
  const running = new Map<Uuid, Running>()
  const stops = new Map<Uuid, RunStop>()
  return {
    watch: (requestId, { path }, end) => {
      running.set(requestId, { path, end })
      const stopped = path.find((id) => stops.has(id))
      const stop = stopped === undefined ? undefined : stops.get(stopped)
      if (stop !== undefined) end(stop)
    },
    release: (requestId) => {
      running.delete(requestId)
    },
    noteStop: ({ stoppedRun, stopReason = null }) => {
      if (stoppedRun === undefined) return
      const stop = { reason: stopReason }
      setBounded(stops, stoppedRun, stop, stopsMax)
      for (const { path, end } of running.values()) if (path.includes(stoppedRun)) end(stop)
    },
    get size() {
      return running.size
    },
  }
}
