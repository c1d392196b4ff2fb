import type { Log } from '#lib/log.ts'
import type { AnnouncementRounds } from '#ports/announcements.ts'
import type { Part } from '../part.ts'

export interface AnnouncementJobDeps {
  readonly rounds: AnnouncementRounds
  /** The console's page for credit. The overview, which emails link to, is above it. */
  readonly creditsUrl: string
  readonly log: Pick<Log, 'info'>
  readonly nowMs: () => number
}

const everyMs = 10_000
const customersAtOnce = 100

/** Tells customers about changed prices and retirement dates, in batches, and reminds them of retirements. */
export function announcementPart({ rounds, creditsUrl, log, nowMs }: AnnouncementJobDeps): Part {
  return {
    name: 'announcements',
    everyMs,
    run: async () => {
      const reminded = await rounds.remind(nowMs())
      if (reminded > 0) log.info({ models: reminded }, 'retirements are due for a reminder')
      const batch = await rounds.tellNext(customersAtOnce, { creditsUrl, nowMs: nowMs() })
      if (batch === null) return false
      if (batch.told > 0) log.info({ customers: batch.told }, 'announced catalogue changes')
      return true
    },
  }
}
