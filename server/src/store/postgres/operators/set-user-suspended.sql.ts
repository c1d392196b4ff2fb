import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// The first suspension's moment is kept when it is repeated.
const text = `UPDATE users SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END WHERE id = $1`

export async function setUserSuspended(client: PoolClient, userId: Uuid, suspended: boolean): Promise<boolean> {
  const { rowCount } = await client.query(text, [userId, suspended])
  return rowCount === 1
}
