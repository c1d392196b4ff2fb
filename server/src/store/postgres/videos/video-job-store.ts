import type { Pool, PoolClient } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'
import { Batcher } from '#lib/batcher.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { ClaimedJob, JobEnd, VideoJobQueue, VideoJobs } from '#ports/videos.ts'
import { persistently, refuseWhenAway } from '../faults.ts'
import { settleWithin } from '../money/settle-generations.sql.ts'
import { inTransaction } from '../with-client.ts'
import { claimJobs, findJob, listJobs, insertJob, type JobMove, moveJobs, renewClaims } from './video-jobs.sql.ts'

const findSettled = 'SELECT 1 FROM generations WHERE id = $1'

export function createVideoJobs(pool: Pool, sealingKey: SealingKey): VideoJobs {
  return {
    accept: (job) => insertJob(pool, sealingKey, job).catch(refuse),
    find: (scope, id) => refuseWhenAway(findJob(pool, scope, id)),
    list: (query) => refuseWhenAway(listJobs(pool, query)),
  }
}

// The row may or may not have been written: the request is refunded, and a job whose generation is settled charges
// nothing.
function refuse(error: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: 'The job could not be saved. Nothing was charged. Retry shortly.',
    inside: error instanceof Error ? error.message : String(error),
    retryAfterS: 5,
    cause: error,
  })
}

export function createVideoJobQueue(pool: Pool, sealingKey: SealingKey): VideoJobQueue {
  const batcher = new Batcher<JobMove, boolean>({
    send: (moves) => persistently(() => moveJobs(pool, moves)),
    batchMax: 500,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many job updates are queued'),
  })
  return {
    claim: (atMost, claimMs) => claimJobs(pool, sealingKey, { atMost, claimMs }),
    renew: (claims, claimMs) => renewClaims(pool, claims, claimMs),
    isSettled: async ({ id }) => {
      const { rowCount } = await pool.query({ name: 'find-settled', text: findSettled, values: [id] })
      return rowCount === 1
    },
    move: (job, progress, dueInMs) => batcher.add({ job, progress, dueInMs }),
    finish: (job, end) => persistently(() => finishJob(pool, job, end)),
  }
}

// The task is the client's content, so it is deleted when the job ends.
const endJob = `UPDATE video_jobs SET progress = $3::jsonb, state = $3::jsonb ->> 'state', task = NULL, cost_nano = $4,
    completed_at = $6, stored_until = $5
  WHERE id = $1 AND claim = $2 AND state NOT IN ('completed', 'failed')`

const insertWebhook = `INSERT INTO webhook_deliveries (id, job_id, wallet_id, url, body)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (job_id) DO NOTHING`

/** The end of a job, its charge and its webhook: all or nothing. */
function finishJob(pool: Pool, job: ClaimedJob, end: JobEnd): Promise<boolean> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    if (!(await endedBy(client, job, end))) return false
    // If the same id was settled earlier, that charge is the cost.
    const { cost } = await settleWithin(client, { record: end.record, windows: job.windows })
    if (cost !== end.record.cost) {
      await client.query('UPDATE video_jobs SET cost_nano = $2 WHERE id = $1', [job.id, cost.toString()])
    }
    if (end.webhook !== null) {
      const { id, url, bodyFor } = end.webhook
      await client.query(insertWebhook, [id, job.id, job.walletId, url, bodyFor(cost)])
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
      new Date(end.endedAtMs),
    ],
  })
  return rowCount === 1
}
