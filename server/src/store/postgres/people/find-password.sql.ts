import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT u.id, c.password FROM users u
  LEFT JOIN auth_accounts c ON c.user_id = u.id AND c.provider_id = 'credential' WHERE lower(u.email) = lower($1)`

/** The hash of somebody's password, null where none is set; null altogether for nobody. */
export async function findPassword(
  pool: Pool,
  email: string,
): Promise<{ userId: Uuid; passwordHash: string | null } | null> {
  const { rows } = await pool.query<{ id: string; password: string | null }>(text, [email])
  const [row] = rows
  return row === undefined ? null : { userId: row.id, passwordHash: row.password }
}
