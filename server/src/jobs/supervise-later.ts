import type { Part } from './part.ts'
import { type PartState, supervise, type Supervisor, type SupervisorOptions } from './supervise.ts'

/** The parts of a worker before, while and after they run. */
export interface LaterSupervisor extends Supervisor {
  readonly isStarted: boolean
  /** First come the rounds that others build upon. */
  start(): Promise<void>
}

/** Parts that wait for the worker's start. Those of a worker that never started are only ended. */
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

/** Should one fail, it is made again and told of when its turn comes. */
async function runFirst(parts: readonly Part[]): Promise<void> {
  for (const part of parts.filter(({ isFirst }) => isFirst === true))
    await part.run(new AbortController().signal).catch(() => {})
}
