import type { Pool } from 'pg'
import type { SignedInPerson } from '#domain/access/caller.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id
  FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id WHERE u.id = $1`

interface Row {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
}

export async function findPerson(pool: Pool, userId: Uuid): Promise<SignedInPerson | null> {
  const { rows } = await pool.query<Row>({ name: 'find-person', text, values: [userId] })
  const [row] = rows
  if (row === undefined) return null
  return { userId: row.id, email: row.email, name: row.name, walletId: row.wallet_id, suspended: row.suspended }
}
