import type { Pool, PoolClient } from 'pg'
import type { ClaimedJob, JobEnd } from '#ports/video-jobs.ts'
import { inTransaction } from '../in-transaction.ts'
import { settleGenerations } from '../money/settle-generations.sql.ts'

const endJob = `UPDATE video_jobs SET progress = $3::jsonb, state = $3::jsonb ->> 'state', cost_nano = $4,
    completed_at = clock_timestamp(), stored_until = $5
  WHERE id = $1 AND claim = $2 AND state NOT IN ('completed', 'failed')`

const insertWebhook = `INSERT INTO webhook_deliveries (id, job_id, wallet_id, url, body)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (job_id) DO NOTHING`

/** The end of a job, its charge and its webhook: all of it, or nothing. */
export function finishJob(pool: Pool, job: ClaimedJob, end: JobEnd): Promise<boolean> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    if (!(await endedBy(client, job, end))) return false
    const [settled] = await settleGenerations(client, [{ record: end.record, windows: job.windows }])
    // What an earlier settle of the same id charged is what it cost, whatever this one would have.
    if (settled !== undefined && settled.cost !== end.record.cost) {
      const costText = settled.cost.toString()
      await client.query('UPDATE video_jobs SET cost_nano = $2 WHERE id = $1', [job.id, costText])
    }
    if (end.webhook !== null) {
      const { id, url, body } = end.webhook
      await client.query(insertWebhook, [id, job.id, job.walletId, url, body])
    }
    return true
  })
}

async function endedBy(client: PoolClient, job: ClaimedJob, end: JobEnd): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'end-video-job',
    text: endJob,
    values: [
      job.id,
      job.claim,
      JSON.stringify(end.progress),
      end.record.cost.toString(),
      end.storedUntilMs === null ? null : new Date(end.storedUntilMs),
    ],
  })
  return rowCount === 1
}
