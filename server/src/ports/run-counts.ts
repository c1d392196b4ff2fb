import type { Uuid } from '#lib/uuid.ts'

/** Counts the requests of runs with rules. The counts may be lost without losing money. */
export interface RunCounts {
  /**
   * Adds one to each counter and returns the new values. A counter that is not used within its time restarts at zero.
   */
  count(runId: Uuid, counters: readonly RunCounter[], nowMs: number): Promise<readonly number[]>
}

export interface RunCounter {
  readonly name: string
  readonly keptMs: number
}
