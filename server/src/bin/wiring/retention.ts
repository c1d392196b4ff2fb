import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { retentionPart } from '#jobs/keep-retention.ts'
import type { Part } from '#jobs/part.ts'
import { createPostgresRetention } from '#store/postgres/usage/postgres-retention.ts'

const everyMs = 3_600_000

/** Drops old requests and hourly sums. */
export function wireRetention(needs: { pool: Pool; config: Config; logger: Logger }): Part {
  const { pool, config, logger } = needs
  return retentionPart({
    retention: createPostgresRetention(pool),
    terms: config.retention,
    everyMs,
    onDropped: (partition) => logger.info({ partition }, 'a partition whose time is over was dropped'),
    onHeld: (partition) =>
      logger.warn({ partition }, 'a partition is over, but not all of it has been summed up and sent to every sink'),
    onBusy: () => logger.info('a partition that is over could not be dropped at once; it is tried again in an hour'),
  })
}
