import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type Sweeper, startSweeper } from '#jobs/sweep.ts'
import { purgeInstitutions } from '#store/postgres/institutions/purge-institutions.sql.ts'
import { purgeWindows } from '#store/postgres/money/purge-windows.sql.ts'
import { purgeEvidence } from '#store/postgres/moderation/purge-evidence.sql.ts'
import { purgeExpired } from '#store/postgres/people/purge-expired.sql.ts'

const purgeEveryMs = 600_000

const kinds = [
  { what: 'old codes, code requests and sessions of institutions', purge: purgeInstitutions },
  { what: 'expired evidence of blocked prompts', purge: purgeEvidence },
  { what: 'expired sessions and links of people', purge: purgeExpired },
  { what: 'windows of spend breakers that are over', purge: purgeWindows },
]

/** Deletes what has had its time. */
export function startPurges(pool: Pool, logger: Logger): Sweeper[] {
  return kinds.map(({ what, purge }) =>
    startSweeper({
      sweep: (atMost) => purge(pool, atMost),
      everyMs: purgeEveryMs,
      onSwept: (count) => logger.info({ count }, `deleted ${what}`),
      onError: (error) => logger.warn({ err: error }, `could not delete ${what}`),
    }),
  )
}
