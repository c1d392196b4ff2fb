import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { startFolder } from '#jobs/fold-usage.ts'
import { createPatientPool } from '#store/postgres/patient-pool.ts'
import { createPostgresFold } from '#store/postgres/usage/postgres-fold.ts'

/** Keeps the sums of usage up to date. */
export function startUsageWorker({ config, logger }: { config: Config; logger: Logger }): { stop(): Promise<void> } {
  // After a long pause a batch may take longer than any page should.
  const pool = createPatientPool({
    url: config.postgres.url,
    name: 'weir fold',
    onError: (error) => logger.warn({ err: error }, 'the connection of the fold broke'),
  })
  const folder = startFolder({
    fold: createPostgresFold(pool),
    everyMs: config.usage.foldMs,
    batchMax: config.usage.foldBatch,
    onFolded: (count) => logger.debug({ count }, 'settled requests were added to the sums of usage'),
    onError: (error) => logger.warn({ err: error }, 'settled requests could not be added to the sums of usage'),
  })
  return {
    stop: async () => {
      await folder.stop()
      await pool.end()
    },
  }
}
