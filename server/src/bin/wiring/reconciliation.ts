import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { startReconciler } from '#jobs/reconcile.ts'
import type { Repeated } from '#lib/repeat-until-stopped.ts'
import { createPostgresReconciliation } from '#store/postgres/books/postgres-reconciliation.ts'
import { createPatientPool } from '#store/postgres/patient-pool.ts'

/** Says every hour whether wallets and sums of usage agree. */
export function startReconciliation({ config, logger }: { config: Config; logger: Logger }): Repeated {
  const pool = createPatientPool({
    url: config.postgres.url,
    name: 'weir reconcile',
    onError: (error) => logger.warn({ err: error }, 'the connection of the reconciliation broke'),
  })
  const reconciler = startReconciler({
    reconciliation: createPostgresReconciliation(pool, Date.now),
    everyMs: config.audit.everyMs,
    onReconciled: ({ wallets, unfolded, discrepancies }) => {
      const [first] = discrepancies
      if (first === undefined) logger.info({ wallets, unfolded }, 'the books agree')
      else logger.error({ wallets, unfolded, found: discrepancies.length, first }, 'the books do not agree')
    },
    onError: (error) => logger.warn({ err: error }, 'the books could not be compared'),
  })
  return {
    stop: async () => {
      await reconciler.stop()
      await pool.end()
    },
  }
}
