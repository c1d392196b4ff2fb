import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { PersonalBreaker } from '#ports/users.ts'
import { type BreakerRow, readBreakerRow } from './breaker-row.ts'

const text = `SELECT breaker_enabled, breaker_minute_nano, breaker_hour_nano FROM users WHERE id = $1 FOR NO KEY UPDATE`

/** The breaker as it is, which nobody else can change before the transaction ends. */
export async function lockPersonalBreaker(client: PoolClient, userId: Uuid): Promise<PersonalBreaker | null> {
  const { rows } = await client.query<BreakerRow>(text, [userId])
  const [row] = rows
  return row === undefined ? null : readBreakerRow(row)
}
