import type { DropOutcome, Retention } from '#ports/usage.ts'
import type { Part } from './part.ts'

/** How long what is kept; null: for ever. */
export interface RetentionTerms {
  readonly generationsDays: number | null
  readonly hoursMonths: number | null
}

export interface RetentionOptions {
  retention: Retention
  terms: RetentionTerms
  everyMs: number
  onDropped: (partition: string) => void
  onHeld: (partition: string) => void
  onBusy: () => void
}

/** Drops what is over. */
export function retentionPart(options: RetentionOptions): Part {
  const { retention, terms, everyMs } = options
  const { generationsDays, hoursMonths } = terms
  return {
    name: 'retention',
    pauseMs: everyMs,
    round: async (signal) => {
      if (generationsDays !== null) await dropAll(() => retention.dropDay(generationsDays), options, signal)
      if (hoursMonths !== null) await dropAll(() => retention.dropMonth(hoursMonths), options, signal)
      return false
    },
  }
}

// Each is a transaction of its own, so settles pass in between.
async function dropAll(
  drop: () => Promise<DropOutcome>,
  { onDropped, onHeld, onBusy }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const outcome = await drop()
    if (outcome.kind === 'held') onHeld(outcome.partition)
    if (outcome.kind === 'busy') onBusy()
    if (outcome.kind !== 'dropped') return
    onDropped(outcome.partition)
  }
}
