import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `WITH gone AS (DELETE FROM auth_two_factors WHERE user_id = $1)
  UPDATE auth_users SET two_factor_enabled = false, updated_at = now() WHERE id = $1`

/** The password alone signs in again. */
export async function deleteSecondFactor(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(text, [userId])
}
