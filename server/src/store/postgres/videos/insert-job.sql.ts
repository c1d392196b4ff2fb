import type { Pool } from 'pg'
import { seal, type SealingKey } from '#lib/seal.ts'
import type { VideoJob } from '#ports/video-jobs.ts'
import { storedWindows } from './job-row.ts'

// The hold is the job's from here on. Its lease outlives the deadline, by when the job is over whatever happens. Where it has lapsed
// already there is no job: nothing would pay for it.
const text = `WITH kept AS (
    UPDATE holds SET lease_until = $11::timestamptz + interval '15 minutes' WHERE id = $1 RETURNING id
  )
  INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url,
    callback_url, created_at, deadline_at)
  SELECT $1, $2, $3, $4::jsonb, $5::jsonb, $6::jsonb, $7, $8::jsonb, $9::jsonb, $9::jsonb ->> 'state', $10, $12, $13, $11
  WHERE $7::bigint = 0 OR EXISTS (SELECT FROM kept)`

export async function insertJob(pool: Pool, sealingKey: SealingKey, job: VideoJob): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'insert-video-job',
    text,
    values: [
      job.id,
      job.walletId,
      job.model,
      JSON.stringify(seal(sealingKey, JSON.stringify(job.task), job.id)),
      JSON.stringify(job.candidates),
      JSON.stringify(job.asker),
      job.held.toString(),
      JSON.stringify(storedWindows(job)),
      JSON.stringify(job.progress),
      job.ownUrl,
      new Date(job.deadlineAtMs),
      job.callbackUrl,
      new Date(job.createdAtMs),
    ],
  })
  if (rowCount !== 1) throw new Error('the hold has lapsed')
}
