import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { PersonalBreaker } from '#ports/users.ts'

// While a breaker is off its windows are not counted, so those that are still open are counted anew from stored sums.
const text = `WITH changed AS (
    UPDATE users SET breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4 WHERE id = $1 RETURNING id
  ), recounted AS (
    UPDATE spend_windows w SET spent_nano = stored_spend(w.kind, w.owner_id, w.starts_at)
    FROM changed WHERE w.owner_id = changed.id AND w.kind IN ('user_minute', 'user_hour')
      AND w.starts_at > (extract(epoch FROM now()) - 3600) * 1000
  )
  SELECT id FROM changed`

export async function setUserBreaker(pool: Pool, userId: Uuid, breaker: PersonalBreaker): Promise<boolean> {
  const { rowCount } = await pool.query(text, [userId, breaker.enabled, breaker.minute, breaker.hour])
  return rowCount === 1
}
