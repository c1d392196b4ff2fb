import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// What an operator has vouched for stays so.
const text = `UPDATE users u SET name = a.name, email_verified = u.email_verified OR a.email_verified
  FROM auth_users a WHERE a.id = u.id AND u.id = $1`

/** Takes over what a person has changed or proven about themselves. */
export async function syncPerson(pool: Pool, userId: Uuid): Promise<void> {
  await pool.query({ name: 'sync-person', text, values: [userId] })
}
