import type { Pool } from 'pg'
import type { UnbilledRules } from '#domain/limits/unbilled.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import { inTransaction } from '../with-client.ts'
import { checkAbsorbed } from './absorbed-checks.sql.ts'
import { type Check, runChecks } from './check.ts'
import { checkDaySums, checkFirstTokens, checkMonthSums } from './check-period-sums.ts'
import { checkDocuments, checkInvoices, checkNumbers, checkSnapshots } from './billing-checks.sql.ts'
import { checkCustomerBalances, checkCustomerSums } from './customer-checks.sql.ts'
import { openSnapshot } from './open-snapshot.ts'
import { checkGrants } from './grant-checks.sql.ts'
import { checkRedemptions } from './redemption-checks.sql.ts'
import { checkEffects, checkOrders, checkProvider } from './payment-checks.sql.ts'
import {
  checkHolds,
  checkKeyDays,
  checkRunModels,
  checkSeries,
  checkSharedDays,
  checkWindows,
} from './spend-checks.sql.ts'
import { checkChargedSums, checkCharges, checkWallets } from './wallet-checks.sql.ts'

/**
 * Compares the ledger with itself. An empty result means that it is consistent. It reads one snapshot, so a running
 * system can be audited. It reads every record: run it on a replica if there are many.
 */
export function auditLedger(
  pool: Pool,
  { overdueMs, unbilled }: { overdueMs: number; unbilled?: UnbilledRules },
): Promise<Discrepancy[]> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) =>
    runChecks(await openSnapshot(client), [
      ...checks,
      checkHolds(overdueMs),
      ...(unbilled === undefined ? [] : [checkAbsorbed(unbilled)]),
    ]),
  )
}

// Findings about single requests and days come first, because they explain the findings after them.
const checks: readonly Check[] = [
  checkCharges,
  checkDaySums,
  checkFirstTokens,
  checkMonthSums,
  checkSeries,
  checkChargedSums,
  checkRedemptions,
  checkGrants,
  checkWallets,
  checkCustomerSums,
  checkCustomerBalances,
  checkKeyDays,
  checkSharedDays,
  checkRunModels,
  checkWindows,
  checkOrders,
  checkEffects,
  checkProvider,
  checkDocuments,
  checkNumbers,
  checkSnapshots,
  checkInvoices,
]
