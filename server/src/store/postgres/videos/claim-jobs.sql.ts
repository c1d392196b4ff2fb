import type { Pool } from 'pg'
import type { SealingKey } from '#lib/seal.ts'
import type { ClaimedJob } from '#ports/video-jobs.ts'
import { claimedJobOf, type JobRow } from './job-row.ts'

// Workers do not wait for each other: what one is about to take, the others pass by.
const text = `UPDATE video_jobs j
  SET claim = j.claim + 1, due_at = clock_timestamp() + $2 * interval '1 millisecond'
  FROM (SELECT id FROM video_jobs
        WHERE state NOT IN ('completed', 'failed') AND due_at <= clock_timestamp()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due
  WHERE j.id = due.id
  RETURNING j.id, j.wallet_id, j.model, j.task, j.candidates, j.asker, j.held_nano, j.windows, j.progress, j.claim,
    j.own_url, j.callback_url, j.created_at, j.deadline_at`

export async function claimJobs(
  pool: Pool,
  sealingKey: SealingKey,
  { atMost, claimMs }: { atMost: number; claimMs: number },
): Promise<ClaimedJob[]> {
  const { rows } = await pool.query<JobRow>({ name: 'claim-video-jobs', text, values: [atMost, claimMs] })
  return rows.map((row) => claimedJobOf(row, sealingKey))
}
