import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { rollupPart } from '#jobs/fold-usage.ts'
import type { Part } from '#jobs/part.ts'
import { createPatientPool } from '#store/postgres/pools.ts'
import { createPostgresFold } from '#store/postgres/usage/postgres-fold.ts'
import { logFault } from '#lib/log-fault.ts'

/** Keeps the sums of usage up to date. */
export function wireRollup({ config, logger }: { config: Config; logger: Logger }): Part {
  // After a long pause a batch may take longer than any page should.
  const pool = createPatientPool({
    url: config.postgres.url,
    name: 'weir fold',
    onError: logFault(logger, 'the connection of the fold broke', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  const part = rollupPart({
    fold: createPostgresFold(pool),
    everyMs: config.usage.foldMs,
    batchMax: config.usage.foldBatch,
    onFolded: (count) => logger.debug({ count }, 'settled requests were added to the sums of usage'),
  })
  return { ...part, end: () => pool.end() }
}
