import type { PoolClient } from 'pg'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { accountColumns } from './account-columns.ts'

const text = `SELECT ${accountColumns} FROM provider_accounts WHERE name = $1 FOR NO KEY UPDATE`

/** An account by its name, kept from others until the transaction ends. */
export async function lockAccount(client: PoolClient, name: string): Promise<ProviderAccountListing | null> {
  const { rows } = await client.query<ProviderAccountListing>(text, [name])
  return rows[0] ?? null
}
