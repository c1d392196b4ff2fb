import type { Pool } from 'pg'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { accountColumns } from './account-columns.ts'

const text = `SELECT ${accountColumns} FROM provider_accounts ORDER BY name`

export async function listAccounts(pool: Pool): Promise<ProviderAccountListing[]> {
  const { rows } = await pool.query<ProviderAccountListing>(text)
  return rows
}
