import type { Pool } from 'pg'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { ClaimedJob } from '#ports/video-jobs.ts'

export interface JobMove {
  readonly job: ClaimedJob
  readonly progress: JobProgress
  readonly dueInMs: number
}

const text = `UPDATE video_jobs j
  SET progress = m.progress, state = m.progress ->> 'state', due_at = clock_timestamp() + m.due_in_ms * interval '1 millisecond'
  FROM json_to_recordset($1::json) AS m (id uuid, claim bigint, progress jsonb, due_in_ms bigint)
  WHERE j.id = m.id AND j.claim = m.claim AND j.state NOT IN ('completed', 'failed')
  RETURNING j.id`

/** Moves a batch of jobs, each once; says of each whether its claim still held. */
export async function moveJobs(pool: Pool, moves: readonly JobMove[]): Promise<boolean[]> {
  const stated = moves.map(({ job: { id, claim }, progress, dueInMs }) => ({
    id,
    claim,
    progress,
    due_in_ms: Math.ceil(dueInMs),
  }))
  const { rows } = await pool.query<{ id: string }>({
    name: 'move-video-jobs',
    text,
    values: [JSON.stringify(stated)],
  })
  const moved = new Set(rows.map(({ id }) => id))
  return moves.map(({ job }) => moved.has(job.id))
}
