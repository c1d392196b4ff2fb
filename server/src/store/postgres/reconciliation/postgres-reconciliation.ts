import type { Pool, PoolClient } from 'pg'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import type { Reconciled, Reconciliation } from '#ports/ledger.ts'
import type { UnbilledRules } from '#domain/limits/unbilled.ts'
import { inTransaction } from '../with-client.ts'
import { checkAbsorbed } from './absorbed-checks.sql.ts'
import { runChecks } from './check.ts'
import { checkMonthsSince } from './check-period-sums.ts'
import { checkCustomerSums } from './customer-checks.sql.ts'
import { type LedgerSnapshot, countSnapshot, openSnapshot } from './open-snapshot.ts'
import { checkOrders, checkProvider } from './payment-checks.sql.ts'
import { checkWalletTotals } from './wallet-checks.sql.ts'

const dayMs = 86_400_000

/** Reconciles on Postgres. Any number of workers may call it; one at a time runs it. */
export function createPostgresReconciliation(
  pool: Pool,
  { nowMs, unbilled }: { nowMs: () => number; unbilled: UnbilledRules },
): Reconciliation {
  return {
    reconcile: () =>
      inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) => {
        const snapshot = await openSnapshot(client)
        return (await lockReconciliation(client)) ? compare(snapshot, { nowMs: nowMs(), unbilled }) : null
      }),
  }
}

async function compare(
  snapshot: LedgerSnapshot,
  { nowMs, unbilled }: { nowMs: number; unbilled: UnbilledRules },
): Promise<Reconciled> {
  const previousMonth = dateOf(startOf('month', startOf('month', nowMs) - 1))
  const yesterday = dateOf(nowMs - dayMs)
  const checks = [
    checkMonthsSince(previousMonth),
    checkWalletTotals,
    checkCustomerSums,
    checkOrders,
    checkProvider,
    checkAbsorbed(unbilled, yesterday),
  ]
  const discrepancies = await runChecks(snapshot, checks)
  return { ...(await countSnapshot(snapshot)), discrepancies }
}

/** Returns false if another worker is running it. The lock ends with the transaction or the process. */
async function lockReconciliation(client: PoolClient): Promise<boolean> {
  const text = `SELECT pg_try_advisory_xact_lock(hashtext('weir.reconcile')) AS locked`
  const { rows } = await client.query<{ locked: boolean }>(text)
  return rows[0]?.locked === true
}
