import type { Pool } from 'pg'
import type { Discrepancy } from '#ports/ledger.ts'
import { inTransaction } from '../with-client.ts'
import { runChecks } from './check.ts'
import { openSnapshot } from './open-snapshot.ts'
import { checkOrders, checkProvider } from './payment-checks.sql.ts'

/** The part of the audit that an operator can run at any time: its cost grows with payments, not with requests. */
export function auditPayments(pool: Pool): Promise<Discrepancy[]> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) =>
    runChecks(await openSnapshot(client), [checkOrders, checkProvider]),
  )
}
