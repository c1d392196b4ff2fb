import type { Pool } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'
import { BatchLane } from '#lib/batch-lane.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { VideoJobQueue, VideoJobs } from '#ports/video-jobs.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { persistently } from '../persistently.ts'
import { claimJobs } from './claim-jobs.sql.ts'
import { findJob } from './find-job.sql.ts'
import { finishJob } from './finish-job.ts'
import { insertJob } from './insert-job.sql.ts'
import { type JobMove, moveJobs } from './move-jobs.sql.ts'
import { renewClaims } from './renew-claims.sql.ts'

const findSettled = 'SELECT 1 FROM generations WHERE id = $1'

export function createVideoJobs(pool: Pool, sealingKey: SealingKey): VideoJobs {
  return {
    accept: (job) => insertJob(pool, sealingKey, job).catch(refuse),
    find: (walletId, id) => refuseWhenAway(findJob(pool, walletId, id)),
  }
}

// Whether it was written or not: the request is refunded, and a job whose generation is settled charges nothing.
function refuse(error: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: 'The job could not be written down. Nothing was charged; try again shortly.',
    inside: error instanceof Error ? error.message : String(error),
    retryAfterS: 5,
    cause: error,
  })
}

export function createVideoJobQueue(pool: Pool, sealingKey: SealingKey): VideoJobQueue {
  const lane = new BatchLane<JobMove, boolean>({
    send: (moves) => persistently(() => moveJobs(pool, moves)),
    batchMax: 500,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many jobs are waiting to be moved'),
  })
  return {
    claim: (atMost, claimMs) => claimJobs(pool, sealingKey, { atMost, claimMs }),
    renew: (claims, claimMs) => renewClaims(pool, claims, claimMs),
    isSettled: async ({ id }) => {
      const { rowCount } = await pool.query({ name: 'find-settled', text: findSettled, values: [id] })
      return rowCount === 1
    },
    move: (job, progress, dueInMs) => lane.add({ job, progress, dueInMs }),
    finish: (job, end) => persistently(() => finishJob(pool, job, end)),
  }
}
