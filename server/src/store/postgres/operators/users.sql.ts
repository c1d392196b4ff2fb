import type { Pool, PoolClient } from 'pg'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { NewUser, UserListing } from '#ports/people.ts'
import { isDuplicate } from '../faults.ts'
import { type BreakerRow, readBreakerRow } from '../people/personal-breaker.ts'

const userColumns = `u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id,
    EXISTS (SELECT FROM operators x WHERE x.user_id = u.id) AS operates, u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano
  FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id`

interface UserRow extends BreakerRow {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
  operates: boolean
}

function readUserRow(row: UserRow): UserListing {
  return {
    id: row.id,
    walletId: row.wallet_id,
    email: row.email,
    name: row.name,
    suspended: row.suspended,
    operates: row.operates,
    breaker: readBreakerRow(row),
  }
}

/** Finds a user by id or email address. */
export async function findUser(pool: Pool, reference: string): Promise<UserListing | null> {
  const text = `SELECT ${userColumns} WHERE u.id = $1 OR lower(u.email) = lower($2)`
  const id = isUuid(reference) ? reference : null
  const { rows } = await pool.query<UserRow>(text, [id, reference])
  const [row] = rows
  return row === undefined ? null : readUserRow(row)
}

/** Finds a user by email address. Only verified addresses count. */
export async function findVerifiedUser(pool: Pool, email: string): Promise<UserListing | null> {
  const text = `SELECT ${userColumns} WHERE lower(u.email) = lower($1) AND u.email_verified`
  const { rows } = await pool.query<UserRow>(text, [email])
  const [row] = rows
  return row === undefined ? null : readUserRow(row)
}

/** Inserts the user and the personal wallet. Returns false if the address is taken. */
export async function insertUser(pool: Pool, user: NewUser): Promise<boolean> {
  // The person can sign in after setting a password by email or after an operator has set one.
  const text = `WITH made AS (
      INSERT INTO users (id, email, name, email_verified) VALUES ($1, $2, $3, true) ON CONFLICT DO NOTHING
      RETURNING id, email, name
    ), known AS (
      INSERT INTO auth_users (id, email, name, email_verified) SELECT id, lower(email), name, true FROM made
    )
    INSERT INTO wallets (id, owner_kind, owner_id) SELECT $4, 'user', made.id FROM made`
  try {
    const { rowCount } = await pool.query(text, [user.id, user.email, user.name, user.walletId])
    return rowCount === 1
  } catch (error) {
    // A person is signing up with this address at the same time.
    if (isDuplicate(error)) return false
    throw error
  }
}

export async function setUserSuspended(client: PoolClient, userId: Uuid, suspended: boolean): Promise<boolean> {
  // A repeated suspension keeps the time of the first.
  const text = `UPDATE users SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END WHERE id = $1`
  const { rowCount } = await client.query(text, [userId, suspended])
  return rowCount === 1
}
