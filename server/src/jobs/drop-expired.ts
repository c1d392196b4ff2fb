import type { Log } from '#lib/log.ts'
import type { DropOutcome, Retention } from '#ports/usage.ts'

/** Retention periods; null means forever. */
export interface RetentionTerms {
  readonly generationsDays: number | null
  readonly refusalsDays: number | null
  readonly hoursMonths: number | null
}

type RetentionLog = Pick<Log, 'info' | 'warn'>

/** Drops expired partitions of requests, of refused requests and of hourly rollups. */
export async function dropExpired(
  { retention, terms, log }: { retention: Retention; terms: RetentionTerms; log: RetentionLog },
  signal: AbortSignal,
): Promise<void> {
  const { generationsDays, refusalsDays, hoursMonths } = terms
  if (generationsDays !== null) await dropAll(() => retention.dropDay(generationsDays), log, signal)
  if (refusalsDays !== null) await dropAll(() => retention.dropRefusals(refusalsDays), log, signal)
  if (hoursMonths !== null) await dropAll(() => retention.dropMonth(hoursMonths), log, signal)
}

// Each drop is a separate transaction, so that settles run in between.
async function dropAll(drop: () => Promise<DropOutcome>, log: RetentionLog, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const outcome = await drop()
    switch (outcome.kind) {
      case 'dropped':
        log.info({ partition: outcome.partition }, 'dropped an expired partition')
        break
      case 'held':
        log.warn(
          { partition: outcome.partition },
          'expired partition kept: not all of it is rolled up and delivered to every event sink',
        )
        return
      case 'busy':
        log.info({}, 'expired partition is in use; retrying in an hour')
        return
      case 'nothing':
        return
    }
  }
}
