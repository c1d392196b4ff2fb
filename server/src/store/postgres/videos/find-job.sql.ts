import type { Pool } from 'pg'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SeenVideoJob } from '#ports/video-jobs.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT id, model, progress, cost_nano, created_at, completed_at, stored_until
  FROM video_jobs WHERE id = $2 AND wallet_id = $1`

interface Row {
  id: string
  model: string
  progress: JobProgress
  cost_nano: string | null
  created_at: Date
  completed_at: Date | null
  stored_until: Date | null
}

export async function findJob(pool: Pool, walletId: Uuid, id: Uuid): Promise<SeenVideoJob | null> {
  const { rows } = await pool.query<Row>({ name: 'find-video-job', text, values: [walletId, id] })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    model: row.model,
    progress: row.progress,
    cost: readNullableNano(row.cost_nano),
    createdAtMs: row.created_at.getTime(),
    completedAtMs: row.completed_at?.getTime() ?? null,
    storedUntilMs: row.stored_until?.getTime() ?? null,
  }
}
