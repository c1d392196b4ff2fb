import type { Pool } from 'pg'
import type { StoredVideos } from '#ports/stored-videos.ts'

const text = `SELECT id, created_at, jsonb_array_length(progress -> 'outputs') AS video_count
  FROM video_jobs WHERE stored_until <= clock_timestamp() ORDER BY stored_until LIMIT $1`

/** By the index on `stored_until`, which has only jobs of which something is kept. */
export async function findOverVideos(pool: Pool, atMost: number): Promise<StoredVideos[]> {
  const { rows } = await pool.query<{ id: string; created_at: Date; video_count: number }>(text, [atMost])
  return rows.map((row) => ({ id: row.id, createdAtMs: row.created_at.getTime(), videoCount: row.video_count }))
}
