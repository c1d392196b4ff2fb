import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `WITH proven AS (
    UPDATE auth_users SET email_verified = true, updated_at = now() WHERE id = $1 RETURNING id
  )
  UPDATE users u SET email_verified = true FROM proven WHERE u.id = proven.id`

/** The address is the person's: something came back that was sent there, or an operator says so. False: no such person. */
export async function verifyAddress(connection: Pool | PoolClient, userId: Uuid): Promise<boolean> {
  const { rowCount } = await connection.query({ name: 'verify-address', text, values: [userId] })
  return rowCount === 1
}
