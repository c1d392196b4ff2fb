import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'
import { workBatch, type WorkBatchDeps } from './work-batch.ts'

export interface BatchRunnerDeps extends Omit<WorkBatchDeps, 'isStopping'> {
  /** Batches that this process runs at once. */
  readonly atOnce: number
  readonly leaseMs: number
  readonly lookEveryMs: number
  readonly onError: (error: unknown) => void
}

/** Runs batches. Any number of gateways can do so concurrently. */
export function batchPart(deps: BatchRunnerDeps): Part {
  const { queue, atOnce, leaseMs, lookEveryMs, elapsedMs, onError } = deps
  let stop: AbortSignal | null = null
  let isEnding = false
  const isStopping = (): boolean => isEnding || stop?.aborted === true
  const runner = runClaims({
    atOnce,
    claim: queue.claim,
    renewal: { everyMs: leaseMs / 4, renew: queue.renew, nowMs: elapsedMs },
    work: (batch) => workBatch({ ...deps, isStopping }, batch),
    onError,
  })
  return {
    name: 'batches',
    everyMs: lookEveryMs,
    run: (signal) => {
      stop = signal
      return runner.run(signal)
    },
    end: async () => {
      isEnding = true
      await runner.end()
    },
  }
}
