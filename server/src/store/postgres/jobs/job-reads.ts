import type { Pool } from 'pg'
import type { JobQueue, JobReads, RunningVideo } from '#ports/job-reads.ts'
import { listEventSinks } from '../events/event-sinks.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { listMails } from '../mail/outbox.sql.ts'
import { listWebhooks } from '../videos/webhook-queue.ts'

/** The open work of workers, from Postgres. */
export function createJobReads(pool: Pool): JobReads {
  return { read: (limit) => refuseWhenAway(readJobs(pool, limit)) }
}

async function readJobs(pool: Pool, limit: number) {
  const [videos, webhooks, mails, runningVideos, failedWebhooks, failedMails, sinks] = await Promise.all([
    readQueue(pool, videoStates),
    readQueue(pool, webhookStates),
    readQueue(pool, mailStates),
    listRunningVideos(pool, limit),
    listWebhooks(pool, { onlyFailed: true, limit }),
    listMails(pool, { onlyFailed: true, limit }),
    listEventSinks(pool),
  ])
  return { videos, webhooks, mails, runningVideos, failedWebhooks, failedMails, sinks }
}

const notOver = `state <> ALL (ARRAY['completed'::text, 'failed'::text])`

const videoStates = `SELECT state, count(*)::integer AS count, min(created_at) AS oldest_at
  FROM video_jobs WHERE ${notOver} GROUP BY 1 ORDER BY 1`

const webhookStates = `SELECT CASE WHEN due_at IS NULL THEN 'given_up' WHEN attempts = 0 THEN 'waiting' ELSE 'retrying' END AS state,
    count(*)::integer AS count, min(created_at) FILTER (WHERE due_at IS NOT NULL) AS oldest_at
  FROM webhook_deliveries WHERE delivered_at IS NULL GROUP BY 1 ORDER BY 1`

// A claimed email counts as tried, so only an error makes it one that is retried.
const mailStates = `SELECT CASE WHEN due_at IS NULL THEN 'given_up' WHEN last_error IS NULL THEN 'waiting' ELSE 'retrying' END AS state,
    count(*)::integer AS count, min(created_at) FILTER (WHERE due_at IS NOT NULL) AS oldest_at
  FROM mail_outbox WHERE sent_at IS NULL AND last_error IS DISTINCT FROM 'replaced' GROUP BY 1 ORDER BY 1`

async function readQueue(pool: Pool, text: string): Promise<JobQueue> {
  const { rows } = await pool.query<{ state: string; count: number; oldest_at: Date | null }>(text)
  const oldest = rows.flatMap(({ oldest_at: at }) => (at === null ? [] : [at.getTime()]))
  return {
    states: rows.map(({ state, count }) => ({ state, count })),
    oldestAtMs: oldest.length === 0 ? null : Math.min(...oldest),
  }
}

interface VideoRow {
  id: string
  wallet_id: string
  model: string
  state: string
  created_at: Date
  deadline_at: Date
  last_error: string | null
}

async function listRunningVideos(pool: Pool, limit: number): Promise<RunningVideo[]> {
  const text = `SELECT id, wallet_id, model, state, created_at, deadline_at,
      coalesce(progress->'attempts'->-1->>'said', nullif(progress->'attempts'->-1->>'outcome', 'answered')) AS last_error
    FROM video_jobs WHERE ${notOver} ORDER BY created_at, id LIMIT $1`
  const { rows } = await pool.query<VideoRow>(text, [limit])
  return rows.map((row) => ({
    id: row.id,
    walletId: row.wallet_id,
    model: row.model,
    state: row.state,
    createdAtMs: row.created_at.getTime(),
    deadlineAtMs: row.deadline_at.getTime(),
    lastError: row.last_error,
  }))
}
