import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { Part } from '#jobs/part.ts'
import { reconciliationPart } from '#jobs/reconcile.ts'
import { createPostgresReconciliation } from '#store/postgres/books/postgres-reconciliation.ts'
import { createPatientPool } from '#store/postgres/pools.ts'
import { logFault } from '#lib/log-fault.ts'

/** Says every hour whether wallets and sums of usage agree. */
export function wireReconciliation({ config, logger }: { config: Config; logger: Logger }): Part {
  const pool = createPatientPool({
    url: config.postgres.url,
    name: 'weir reconcile',
    onError: logFault(logger, 'the connection of the reconciliation broke', { level: 'warn', overAfterMs: 60_000 })
      .failed,
  })
  const part = reconciliationPart({
    reconciliation: createPostgresReconciliation(pool, Date.now),
    everyMs: config.audit.everyMs,
    onAgreed: ({ wallets, unfolded }) => logger.info({ wallets, unfolded }, 'the books agree'),
    onDiscrepancy: (first, { wallets, unfolded, discrepancies }) =>
      logger.error({ wallets, unfolded, found: discrepancies.length, first }, 'the books do not agree'),
  })
  return { ...part, end: () => pool.end() }
}
