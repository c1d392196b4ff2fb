import type { Pool } from 'pg'
import type { DescribeAccountChange, ProviderAccountChange, ProviderAccountListing } from '#ports/operators.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockAccount } from './lock-account.sql.ts'
import { updateAccount } from './update-account.sql.ts'

/** Changes what differs; where nothing does, neither the revision nor the log moves. Null: no such account. */
export async function changeAccount(
  pool: Pool,
  which: { name: string; change: ProviderAccountChange; describe: DescribeAccountChange },
): Promise<ProviderAccountListing | null> {
  const { sealCredential, ...terms } = which.change
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const before = await lockAccount(client, which.name)
    if (before === null) return null
    const after = { ...before, ...terms, hasCredential: before.hasCredential || sealCredential !== undefined }
    const entry = which.describe(before, after)
    if (entry === null) return after
    await updateAccount(client, after, sealCredential?.(before.id) ?? null)
    await appendAudit(client, [entry], Date.now())
    return after
  })
}
