import type { Pool } from 'pg'
import type { ProviderAccountListing } from '#ports/operators.ts'

const text = `SELECT id, name, vendor, base_url AS "baseUrl", credential IS NOT NULL AS "hasCredential", enabled
  FROM provider_accounts ORDER BY name`

export async function listAccounts(pool: Pool): Promise<ProviderAccountListing[]> {
  const { rows } = await pool.query<ProviderAccountListing>(text)
  return rows
}
