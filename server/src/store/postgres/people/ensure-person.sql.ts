import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// An address that users already has under another id stays with that one: nobody gets an account by naming its address.
const text = `WITH made AS (
    INSERT INTO users (id, email, name, email_verified)
    SELECT id, email, name, email_verified FROM auth_users WHERE id = $1 ON CONFLICT DO NOTHING RETURNING id
  )
  INSERT INTO wallets (id, owner_kind, owner_id) SELECT $2, 'user', made.id FROM made`

/** Whoever has signed up has an account and a personal wallet; made once, however often this is called. */
export async function ensurePerson(pool: Pool, person: { userId: Uuid; walletId: Uuid }): Promise<void> {
  await pool.query({ name: 'ensure-person', text, values: [person.userId, person.walletId] })
}
