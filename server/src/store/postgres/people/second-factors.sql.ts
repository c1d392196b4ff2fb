import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

/** Both texts are encrypted. */
export interface SecondFactorRow {
  id: Uuid
  secret: string
  backupCodes: string
}

/** In id order, locked until the transaction ends. */
export async function lockSecondFactors(
  client: PoolClient,
  page: { after: Uuid | null; limit: number },
): Promise<SecondFactorRow[]> {
  const text = `SELECT id, secret, backup_codes AS "backupCodes" FROM auth_two_factors
    WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE`
  const { rows } = await client.query<SecondFactorRow>(text, [page.after, page.limit])
  return rows
}

/** In id order. */
export async function listSecondFactors(
  pool: Pool,
  page: { after: Uuid | null; limit: number },
): Promise<SecondFactorRow[]> {
  const text = `SELECT id, secret, backup_codes AS "backupCodes" FROM auth_two_factors
    WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`
  const { rows } = await pool.query<SecondFactorRow>(text, [page.after, page.limit])
  return rows
}

export async function replaceSecondFactors(client: PoolClient, rows: readonly SecondFactorRow[]): Promise<void> {
  const text = `UPDATE auth_two_factors SET secret = given.secret, backup_codes = given.backup_codes
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (id, secret, backup_codes) WHERE auth_two_factors.id = given.id`
  const values = [rows.map(({ id }) => id), rows.map(({ secret }) => secret), rows.map((row) => row.backupCodes)]
  await client.query(text, values)
}

/** Afterwards the password alone signs in. */
export async function deleteSecondFactor(client: PoolClient, userId: Uuid): Promise<void> {
  const text = `WITH codes AS (DELETE FROM auth_two_factors WHERE user_id = $1),
      passkeys AS (DELETE FROM auth_passkeys WHERE user_id = $1)
    UPDATE auth_users SET two_factor_enabled = false, updated_at = now() WHERE id = $1`
  await client.query(text, [userId])
}
