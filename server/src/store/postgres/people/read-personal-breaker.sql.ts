import type { Pool } from 'pg'
import { windowStart } from '#domain/limits/window.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PersonalBreakerState } from '#ports/users.ts'
import { readNano } from '../nano-column.ts'
import { type BreakerRow, readBreakerRow } from './breaker-row.ts'

const text = `SELECT u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano,
    stored_spend('user_minute', u.id, $2) + coalesce(m.held_nano, 0) AS minute_nano,
    stored_spend('user_hour', u.id, $3) + coalesce(h.held_nano, 0) AS hour_nano
  FROM users u
  LEFT JOIN spend_windows m ON m.kind = 'user_minute' AND m.owner_id = u.id AND m.starts_at = $2
  LEFT JOIN spend_windows h ON h.kind = 'user_hour' AND h.owner_id = u.id AND h.starts_at = $3
  WHERE u.id = $1`

/** The breaker with what the person has spent and holds in the running windows, also while it is off. */
export async function readPersonalBreaker(
  pool: Pool,
  userId: Uuid,
  nowMs: number,
): Promise<PersonalBreakerState | null> {
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
