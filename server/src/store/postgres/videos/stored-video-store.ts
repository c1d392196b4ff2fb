import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredVideoStore, StoredVideos } from '#ports/videos.ts'

export function createStoredVideoStore(pool: Pool): StoredVideoStore {
  return {
    findOver: (atMost) => findOverVideos(pool, atMost),
    forget: (ids) => forgetVideos(pool, ids),
  }
}

/** Finds jobs by the index on `stored_until`, which contains only jobs with stored files. */
async function findOverVideos(pool: Pool, atMost: number): Promise<StoredVideos[]> {
  const text = `SELECT id, created_at, jsonb_array_length(progress -> 'outputs') AS video_count
    FROM video_jobs WHERE stored_until <= clock_timestamp() ORDER BY stored_until LIMIT $1`
  const { rows } = await pool.query<{ id: string; created_at: Date; video_count: number }>(text, [atMost])
  return rows.map((row) => ({ id: row.id, createdAtMs: row.created_at.getTime(), videoCount: row.video_count }))
}

/** Records that the videos of these jobs are no longer stored. */
async function forgetVideos(pool: Pool, ids: readonly Uuid[]): Promise<void> {
  const text = `UPDATE video_jobs SET stored_until = NULL WHERE id = ANY ($1::uuid[]) AND stored_until <= clock_timestamp()`
  await pool.query(text, [ids])
}
