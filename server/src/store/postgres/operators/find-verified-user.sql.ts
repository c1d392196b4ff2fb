import type { Pool } from 'pg'
import type { UserListing } from '#ports/users.ts'
import { readUserRow, userColumns, type UserRow } from './user-row.ts'

const text = `SELECT ${userColumns} WHERE lower(u.email) = lower($1) AND u.email_verified`

/** By mail address; an address that nobody has proven is as good as none. */
export async function findVerifiedUser(pool: Pool, email: string): Promise<UserListing | null> {
  const { rows } = await pool.query<UserRow>(text, [email])
  const [row] = rows
  return row === undefined ? null : readUserRow(row)
}
