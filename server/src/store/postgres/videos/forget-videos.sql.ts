import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `UPDATE video_jobs SET stored_until = NULL WHERE id = ANY ($1::uuid[]) AND stored_until <= clock_timestamp()`

/** Of these jobs nothing is kept any more. */
export async function forgetVideos(pool: Pool, ids: readonly Uuid[]): Promise<void> {
  await pool.query(text, [ids])
}
