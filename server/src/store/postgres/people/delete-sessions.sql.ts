import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'DELETE FROM auth_sessions WHERE user_id = $1'

/** Signs a person out everywhere. */
export async function deleteSessions(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(text, [userId])
}
