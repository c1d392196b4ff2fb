import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { PersonalBreaker } from '#ports/users.ts'

const text = `UPDATE users SET breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4 WHERE id = $1`

export async function setUserBreaker(pool: Pool, userId: Uuid, breaker: PersonalBreaker): Promise<boolean> {
  const { rowCount } = await pool.query(text, [userId, breaker.enabled, breaker.minute, breaker.hour])
  return rowCount === 1
}
