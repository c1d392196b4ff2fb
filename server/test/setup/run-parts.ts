import type { Part } from '#jobs/part.ts'
import { supervise, type SupervisorOptions } from '#jobs/supervise.ts'
import { watchFault } from '#lib/fault-watch.ts'

export interface RunningParts {
  stop(): Promise<void>
}

/** Runs worker parts in this process until stopped. Unless they are watched, a failed part then fails the test. */
export function runParts(
  parts: readonly Part[],
  { close, watch }: { close?: () => Promise<void>; watch?: SupervisorOptions['watch'] } = {},
): RunningParts {
  const faults: unknown[] = []
  const collect = () => watchFault({ tell: ({ error }) => faults.push(error), nowMs: Date.now })
  const supervisor = supervise({ parts, watch: watch ?? collect, nowMs: Date.now })
  const stop = async (): Promise<void> => {
    await supervisor.stop()
    await close?.()
    if (faults.length > 0) throw faults[0]
  }
  let stopped: Promise<void> | null = null
  return { stop: () => (stopped ??= stop()) }
}
