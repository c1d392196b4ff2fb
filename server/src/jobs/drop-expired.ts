import type { Log } from '#lib/log.ts'
import type { DropOutcome, Retention } from '#ports/usage.ts'

/** How long what is kept; null: for ever. */
export interface RetentionTerms {
  readonly generationsDays: number | null
  readonly hoursMonths: number | null
}

type RetentionLog = Pick<Log, 'info' | 'warn'>

/** Drops partitions of requests and of hourly sums that are over. */
export async function dropExpired(
  { retention, terms, log }: { retention: Retention; terms: RetentionTerms; log: RetentionLog },
  signal: AbortSignal,
): Promise<void> {
  const { generationsDays, hoursMonths } = terms
  if (generationsDays !== null) await dropAll(() => retention.dropDay(generationsDays), log, signal)
  if (hoursMonths !== null) await dropAll(() => retention.dropMonth(hoursMonths), log, signal)
}

// Each is a transaction of its own, so settles pass in between.
async function dropAll(drop: () => Promise<DropOutcome>, log: RetentionLog, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const outcome = await drop()
    switch (outcome.kind) {
      case 'dropped':
        log.info({ partition: outcome.partition }, 'a partition whose time is over was dropped')
        break
      case 'held':
        log.warn(
          { partition: outcome.partition },
          'a partition is over, but not all of it has been summed up and sent to every sink',
        )
        return
      case 'busy':
        log.info({}, 'a partition that is over could not be dropped at once; it is tried again in an hour')
        return
      case 'nothing':
        return
    }
  }
}
