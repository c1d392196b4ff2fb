import type { PoolClient } from 'pg'
import type { NewProviderAccount } from '#ports/operators.ts'

const text = `WITH added AS (
    INSERT INTO provider_accounts (id, name, vendor, base_url, credential, weight, keeps_prompts, variant)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (name) DO NOTHING RETURNING id
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM added)
  )
  SELECT id FROM added`

/** False when the name is taken. */
export async function insertAccount(client: PoolClient, account: NewProviderAccount): Promise<boolean> {
  const { rowCount } = await client.query(text, [
    account.id,
    account.name,
    account.vendor,
    account.baseUrl,
    account.credential === null ? null : JSON.stringify(account.credential),
    account.weight,
    account.keepsPrompts,
    account.variant,
  ])
  return rowCount === 1
}
