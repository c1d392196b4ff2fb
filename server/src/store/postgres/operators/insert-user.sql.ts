import type { Pool } from 'pg'
import type { NewUser } from '#ports/users.ts'

// The person can sign in once a password is set by mail or by an operator.
const text = `WITH made AS (
    INSERT INTO users (id, email, name, email_verified) VALUES ($1, $2, $3, true) ON CONFLICT DO NOTHING
    RETURNING id, email, name
  ), known AS (
    INSERT INTO auth_users (id, email, name, email_verified) SELECT id, lower(email), name, true FROM made
  )
  INSERT INTO wallets (id, owner_kind, owner_id) SELECT $4, 'user', made.id FROM made`

/** The user and the personal wallet; false when the address is taken. */
export async function insertUser(pool: Pool, user: NewUser): Promise<boolean> {
  try {
    const { rowCount } = await pool.query(text, [user.id, user.email, user.name, user.walletId])
    return rowCount === 1
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

// Somebody is just signing up with this address.
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
