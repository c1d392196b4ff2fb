import type { Pool } from 'pg'
import type { NewUser } from '#ports/users.ts'

const text = `WITH made AS (
    INSERT INTO users (id, email, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id
  )
  INSERT INTO wallets (id, owner_kind, owner_id) SELECT $4, 'user', made.id FROM made`

/** The user and the personal wallet; false when the address is taken. */
export async function insertUser(pool: Pool, user: NewUser): Promise<boolean> {
  const { rowCount } = await pool.query(text, [user.id, user.email, user.name, user.walletId])
  return rowCount === 1
}
