import { type Repeated, repeatUntilStopped } from '#lib/repeat-until-stopped.ts'
import type { DropOutcome, Retention } from '#ports/retention.ts'

/** How long what is kept; null: for ever. */
export interface RetentionTerms {
  readonly generationsDays: number | null
  readonly hoursMonths: number | null
}

/** Drops what is over, at once and then again and again, until stopped. */
export function startRetention(options: {
  retention: Retention
  terms: RetentionTerms
  everyMs: number
  onDropped: (partition: string) => void
  onHeld: (partition: string) => void
  onBusy: () => void
  onError: (error: unknown) => void
}): Repeated {
  const { retention, terms, everyMs, onError } = options
  const { generationsDays, hoursMonths } = terms
  return repeatUntilStopped({
    async round(signal) {
      if (generationsDays !== null) await dropAll(() => retention.dropDay(generationsDays), options, signal)
      if (hoursMonths !== null) await dropAll(() => retention.dropMonth(hoursMonths), options, signal)
      return false
    },
    pauseMs: everyMs,
    onError,
  })
}

// Each is a transaction of its own, so settles pass in between.
async function dropAll(
  drop: () => Promise<DropOutcome>,
  { onDropped, onHeld, onBusy }: Parameters<typeof startRetention>[0],
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
