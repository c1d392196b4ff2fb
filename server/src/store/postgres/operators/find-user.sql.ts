import type { Pool } from 'pg'
import { isUuid } from '#lib/uuid.ts'
import type { UserListing } from '#ports/users.ts'
import { readUserRow, userColumns, type UserRow } from './user-row.ts'

const text = `SELECT ${userColumns} WHERE u.id = $1 OR lower(u.email) = lower($2)`

/** By id or mail address. */
export async function findUser(pool: Pool, reference: string): Promise<UserListing | null> {
  const id = isUuid(reference) ? reference : null
  const { rows } = await pool.query<UserRow>(text, [id, reference])
  const [row] = rows
  return row === undefined ? null : readUserRow(row)
}
