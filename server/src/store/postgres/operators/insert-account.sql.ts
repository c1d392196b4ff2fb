import type { Pool } from 'pg'
import type { NewProviderAccount } from '#ports/operators.ts'

const text = `WITH added AS (
    INSERT INTO provider_accounts (id, name, vendor, base_url, credential) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name) DO NOTHING RETURNING id
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM added)
  )
  SELECT id FROM added`

/** False when the name is taken. */
export async function insertAccount(pool: Pool, account: NewProviderAccount): Promise<boolean> {
  const credential = account.credential === null ? null : JSON.stringify(account.credential)
  const { rowCount } = await pool.query(text, [account.id, account.name, account.vendor, account.baseUrl, credential])
  return rowCount === 1
}
