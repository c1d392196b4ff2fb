import type { Pool } from 'pg'
import type { BrakeState } from '#domain/limits/brake.ts'

const text = 'SELECT engaged, retry_after_s, reason FROM brake'

interface Row {
  engaged: boolean
  retry_after_s: 30 | 300
  reason: string | null
}

export async function loadBrake(pool: Pool): Promise<BrakeState> {
  const { rows } = await pool.query<Row>(text)
  const [row] = rows
  if (row?.engaged !== true) return { engaged: false }
  return { engaged: true, retryAfterS: row.retry_after_s, reason: row.reason }
}
