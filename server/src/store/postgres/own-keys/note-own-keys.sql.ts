import type { Pool } from 'pg'
import type { OwnKeyNote } from '#ports/own-keys.ts'

const text = `UPDATE own_keys k SET
    consecutive_failures = CASE WHEN seen.had_success THEN 0 ELSE k.consecutive_failures END + seen.failures,
    last_error = CASE WHEN seen.failures > 0 THEN seen.last_error ELSE NULL END,
    last_checked_at = now()
  FROM unnest($1::uuid[], $2::boolean[], $3::integer[], $4::text[]) AS seen (id, had_success, failures, last_error)
  WHERE k.id = seen.id`

/** Adds what was seen since the last time; several processes may note the same key. */
export async function noteOwnKeys(pool: Pool, notes: readonly OwnKeyNote[]): Promise<void> {
  await pool.query(text, [
    notes.map(({ id }) => id),
    notes.map(({ hadSuccess }) => hadSuccess),
    notes.map(({ failures }) => failures),
    notes.map(({ lastError }) => lastError),
  ])
}
