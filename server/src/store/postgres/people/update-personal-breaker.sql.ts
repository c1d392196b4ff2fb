import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { PersonalBreaker } from '#ports/users.ts'

// While a breaker is off its windows are not counted, so those that are still open are counted anew from stored sums.
const text = `WITH changed AS (
    UPDATE users SET breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4 WHERE id = $1 RETURNING id
  )
  SELECT recount_windows(ARRAY['user_minute', 'user_hour'], ARRAY[id]) FROM changed`

export async function updatePersonalBreaker(client: PoolClient, userId: Uuid, breaker: PersonalBreaker): Promise<void> {
  await client.query(text, [userId, breaker.enabled, breaker.minute, breaker.hour])
}
