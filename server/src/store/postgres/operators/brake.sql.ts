import type { Pool, PoolClient } from 'pg'
import type { BrakeState } from '#domain/limits/brake.ts'

interface Row {
  engaged: boolean
  retry_after_s: 30 | 300
  reason: string | null
}

export async function loadBrake(pool: Pool): Promise<BrakeState> {
  const text = 'SELECT engaged, retry_after_s, reason FROM brake'
  const { rows } = await pool.query<Row>(text)
  const [row] = rows
  if (row?.engaged !== true) return { engaged: false }
  return { engaged: true, retryAfterS: row.retry_after_s, reason: row.reason }
}

export async function setBrake(client: PoolClient, state: BrakeState): Promise<void> {
  const text = `WITH changed AS (
      UPDATE brake SET engaged = $1, retry_after_s = coalesce($2, retry_after_s), reason = $3, changed_at = now() RETURNING only_row
    )
    UPDATE revisions SET revision = revision + 1 FROM changed WHERE topic = 'brake'`
  const values = state.engaged ? [true, state.retryAfterS, state.reason] : [false, null, null]
  await client.query(text, values)
}
