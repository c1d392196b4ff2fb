import type { Pool } from 'pg'
import type { Discrepancy } from '#ports/books.ts'
import { inTransaction } from '../in-transaction.ts'
import type { Check } from './check.ts'
import { checkChargedSums } from './check-charged-sums.sql.ts'
import { checkCharges } from './check-charges.sql.ts'
import { checkHolds } from './check-holds.sql.ts'
import { checkKeyDays } from './check-key-days.sql.ts'
import { checkDaySums, checkFirstTokens, checkMonthSums } from './check-period-sums.ts'
import { checkSeries } from './check-series.sql.ts'
import { checkSharedDays } from './check-shared-days.sql.ts'
import { checkWallets } from './check-wallets.sql.ts'
import { checkWindows } from './check-windows.sql.ts'
import { openBooks } from './open-books.ts'
import { runChecks } from './run-checks.ts'

/**
 * Whether the books agree with themselves; an empty list says so. All of it sees one moment, so a running system can be
 * audited. It reads every record: run it on a replica when they are many.
 */
export function auditLedger(pool: Pool, options: { overdueMs: number }): Promise<Discrepancy[]> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) =>
    runChecks(await openBooks(client), [...checks, checkHolds(options.overdueMs)]),
  )
}

// What is found about single requests and days comes first, because it explains what follows from it.
const checks: readonly Check[] = [
  checkCharges,
  checkDaySums,
  checkFirstTokens,
  checkMonthSums,
  checkSeries,
  checkChargedSums,
  checkWallets,
  checkKeyDays,
  checkSharedDays,
  checkWindows,
]
