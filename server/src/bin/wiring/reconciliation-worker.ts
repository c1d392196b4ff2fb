import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { IndexJobDeps } from '#jobs/build-indexes.ts'
import type { Closable } from '#jobs/worker-parts.ts'
import { logFault } from '#lib/log-fault.ts'
import type { Reconciliation } from '#ports/ledger.ts'
import type { UsageRollup } from '#ports/usage.ts'
import { buildSearchIndexes } from '#store/postgres/customers/search-indexes.sql.ts'
import { createPostgresReconciliation } from '#store/postgres/reconciliation/postgres-reconciliation.ts'
import { createPatientPool } from '#store/postgres/pools.ts'
import { createPostgresRollup } from '#store/postgres/usage/postgres-rollup.ts'

interface BooksDeps {
  config: Config
  logger: Logger
}

/** Keeps the usage sums up to date. */
export function wireRollup(deps: BooksDeps): UsageRollup & Closable {
  // After a long pause a batch may take longer than the statement timeout of pages allows.
  const pool = patientPool(deps, { name: 'weir rollup', fault: 'the rollup connection broke' })
  return { ...createPostgresRollup(pool), close: () => pool.end() }
}

/** Reconciles wallets and usage sums. */
export function wireReconciliation(deps: BooksDeps): Reconciliation & Closable {
  const pool = patientPool(deps, {
    name: 'weir reconcile',
    fault: 'the reconciliation connection to Postgres was lost',
  })
  const { unbilledUsd, unbilledPercent } = deps.config.limits
  const unbilled = { allowance: parseUsd(unbilledUsd), percent: unbilledPercent }
  return { ...createPostgresReconciliation(pool, { nowMs: Date.now, unbilled }), close: () => pool.end() }
}

/** Builds indexes, which takes longer on a large table than a statement of the other pools may. */
export function wireIndexes(deps: BooksDeps): IndexJobDeps {
  const pool = patientPool(deps, { name: 'weir indexes', fault: 'the connection that builds indexes was lost' })
  return { build: () => buildSearchIndexes(pool), close: () => pool.end() }
}

function patientPool({ config, logger }: BooksDeps, { name, fault }: { name: string; fault: string }) {
  const onError = logFault(logger, fault, { level: 'warn', overAfterMs: 60_000 }).failed
  return createPatientPool({ url: config.postgres.url, name, onError })
}
