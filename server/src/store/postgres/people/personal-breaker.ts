import type { Pool, PoolClient } from 'pg'
import { windowStart } from '#domain/limits/window.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { DescribeBreakerChange, PersonalBreaker, PersonalBreakerState } from '#ports/people.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { inTransaction } from '../with-client.ts'

/** Changes the breaker and writes the audit entry, both or neither. Returns null if the person does not exist. */
export function changePersonalBreaker(
  pool: Pool,
  { userId, change, describe }: { userId: Uuid; change: Partial<PersonalBreaker>; describe: DescribeBreakerChange },
): Promise<PersonalBreaker | null> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const before = await lockPersonalBreaker(client, userId)
    if (before === null) return null
    const after = { ...before, ...change }
    await updatePersonalBreaker(client, userId, after)
    await appendAudit(client, [describe(before, after)], Date.now())
    return after
  })
}

export interface BreakerRow {
  breaker_enabled: boolean
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readBreakerRow(row: BreakerRow): PersonalBreaker {
  return {
    enabled: row.breaker_enabled,
    minute: readNullableNano(row.breaker_minute_nano),
    hour: readNullableNano(row.breaker_hour_nano),
  }
}

/** The current breaker, locked until the transaction ends. */
async function lockPersonalBreaker(client: PoolClient, userId: Uuid): Promise<PersonalBreaker | null> {
  const text = `SELECT breaker_enabled, breaker_minute_nano, breaker_hour_nano FROM users WHERE id = $1 FOR NO KEY UPDATE`
  const { rows } = await client.query<BreakerRow>(text, [userId])
  const [row] = rows
  return row === undefined ? null : readBreakerRow(row)
}

async function updatePersonalBreaker(client: PoolClient, userId: Uuid, breaker: PersonalBreaker): Promise<void> {
  // While a breaker is off its windows are not counted, so open windows are recounted from stored sums.
  const text = `WITH changed AS (
      UPDATE users SET breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4 WHERE id = $1 RETURNING id
    )
    SELECT recount_windows(ARRAY['user_minute', 'user_hour'], ARRAY[id]) FROM changed`
  await client.query(text, [userId, breaker.enabled, breaker.minute, breaker.hour])
}

/** The breaker with the person's spent and held amounts in the current windows, even while it is off. */
export async function readPersonalBreaker(
  pool: Pool,
  userId: Uuid,
  nowMs: number,
): Promise<PersonalBreakerState | null> {
  const text = `SELECT u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano,
      stored_spend('user_minute', u.id, $2) + coalesce(m.held_nano, 0) AS minute_nano,
      stored_spend('user_hour', u.id, $3) + coalesce(h.held_nano, 0) AS hour_nano
    FROM users u
    LEFT JOIN spend_windows m ON m.kind = 'user_minute' AND m.owner_id = u.id AND m.starts_at = $2
    LEFT JOIN spend_windows h ON h.kind = 'user_hour' AND h.owner_id = u.id AND h.starts_at = $3
    WHERE u.id = $1`
  const { rows } = await pool.query<BreakerRow & { minute_nano: string; hour_nano: string }>({
    name: 'read-personal-breaker',
    text,
    values: [userId, windowStart('minute', nowMs), windowStart('hour', nowMs)],
  })
  const [row] = rows
  if (row === undefined) return null
  const spent = { minute: readNano(row.minute_nano), hour: readNano(row.hour_nano) }
  return { settings: readBreakerRow(row), spent }
}
