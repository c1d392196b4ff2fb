import type { Part } from './part.ts'
import { type PartState, supervise, type Supervisor, type SupervisorOptions } from './supervise.ts'

/** The parts of a worker before, during and after they run. */
export interface LaterSupervisor extends Supervisor {
  readonly isStarted: boolean
  /** Runs the first rounds of parts that others depend on. */
  start(): Promise<void>
}

/** Parts that wait for the worker's start. If it never started, they are only ended. */
export function superviseLater(options: SupervisorOptions): LaterSupervisor {
  let supervisor: Supervisor | null = null
  return {
    get isStarted() {
      return supervisor !== null
    },
    get parts(): readonly PartState[] {
      return supervisor?.parts ?? []
    },
    start: async () => {
      await runFirst(options.parts)
      supervisor ??= supervise(options)
    },
    stop: async () => {
      if (supervisor !== null) return supervisor.stop()
      const ends = await Promise.allSettled(options.parts.map(async ({ end }) => end?.()))
      const failure = ends.find((end) => end.status === 'rejected')
      if (failure !== undefined) throw failure.reason
    },
  }
}

/** If one fails, its regular round retries and reports it. */
async function runFirst(parts: readonly Part[]): Promise<void> {
  for (const part of parts.filter(({ isFirst }) => isFirst === true))
    await part.run(new AbortController().signal).catch(() => {})
}
