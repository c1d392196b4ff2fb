import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// Whoever was put into users by hand is made known to the sign-in as well.
const text = `WITH known AS (
    INSERT INTO auth_users (id, name, email, email_verified)
    SELECT id, name, lower(email), email_verified FROM users WHERE id = $2
    ON CONFLICT (id) DO UPDATE SET updated_at = now() RETURNING id
  )
  INSERT INTO auth_accounts (id, user_id, provider_id, account_id, password)
  SELECT $1, known.id, 'credential', known.id::text, $3 FROM known
  ON CONFLICT (provider_id, account_id) DO UPDATE SET password = excluded.password, updated_at = now()`

/** False: no such person. */
export async function upsertPassword(
  client: PoolClient,
  account: { id: Uuid; userId: Uuid; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await client.query(text, [account.id, account.userId, account.passwordHash])
  return rowCount === 1
}
