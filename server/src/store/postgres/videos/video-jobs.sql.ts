import type { Pool } from 'pg'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { isJsonObject } from '#lib/json.ts'
import { parseSealed, seal, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ClaimedJob, JobAsker, JobCandidate, SeenVideoJob, VideoJob, VideoListQuery } from '#ports/videos.ts'
import { ownerOf } from '../generations/generation-columns.ts'
import { arrayLiteral, readNano, readNullableNano } from '../column-values.ts'

/** A job as it is stored. */
interface JobRow {
  id: string
  wallet_id: string
  model: string
  task: unknown
  candidates: JobCandidate[]
  asker: JobAsker
  held_nano: string
  windows: StoredWindow[]
  progress: JobProgress
  claim: string
  own_url: string
  callback_url: string | null
  created_at: Date
  deadline_at: Date
}

type StoredWindow = Omit<LimitedWindow, 'limit'> & { readonly limit: string }

/** Limits are strings, because JSON numbers lose digits. */
function storedWindows({ windows }: Pick<VideoJob, 'windows'>): StoredWindow[] {
  return windows.map((window) => ({ ...window, limit: window.limit.toString() }))
}

function claimedJobOf(row: JobRow, sealingKey: SealingKey): ClaimedJob {
  return {
    id: row.id,
    walletId: row.wallet_id,
    model: row.model,
    openTask: () => openTask(row, sealingKey),
    candidates: row.candidates,
    asker: row.asker,
    held: readNano(row.held_nano),
    windows: row.windows.map((window) => ({ ...window, limit: readNano(window.limit) })),
    ownUrl: row.own_url,
    callbackUrl: row.callback_url,
    createdAtMs: row.created_at.getTime(),
    deadlineAtMs: row.deadline_at.getTime(),
    progress: row.progress,
    claim: Number(row.claim),
  }
}

/** A job accepted before tasks were encrypted has its task in clear text. The last such job ends by its deadline. */
function openTask({ id, task }: JobRow, sealingKey: SealingKey): VideoTask {
  if (isClear(task)) return task
  return JSON.parse(unseal(sealingKey, parseSealed(task), id))
}

function isClear(task: unknown): task is VideoTask {
  return isJsonObject(task) && task.kind === 'video'
}

export async function insertJob(pool: Pool, sealingKey: SealingKey, job: VideoJob): Promise<void> {
  // From here on the hold belongs to the job. Its lease outlives the deadline, by which the job ends in any case. If
  // the hold has already expired there is no job, because nothing would pay for it.
  const text = `WITH kept AS (
      UPDATE holds SET lease_until = $11::timestamptz + interval '15 minutes' WHERE id = $1 RETURNING id
    )
    INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url,
      callback_url, created_at, deadline_at)
    SELECT $1, $2, $3, $4::jsonb, $5::jsonb, $6::jsonb, $7, $8::jsonb, $9::jsonb, $9::jsonb ->> 'state', $10, $12, $13, $11
    WHERE $7::bigint = 0 OR EXISTS (SELECT FROM kept)`
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

interface Row {
  id: string
  model: string
  progress: JobProgress
  cost_nano: string | null
  created_at: Date
  completed_at: Date | null
  stored_until: Date | null
}

export async function findJob(pool: Pool, scope: UsageScope, id: Uuid): Promise<SeenVideoJob | null> {
  const text = `SELECT id, model, progress, cost_nano, created_at, completed_at, stored_until
    FROM video_jobs WHERE id = $2 AND wallet_id = $1 AND ${ofOwner('$3', '$4')}`
  const values = [scope.walletId, id, ...ownerOf(scope)]
  const { rows } = await pool.query<Row>({ name: 'find-video-job', text, values })
  const [row] = rows
  return row === undefined ? null : seenJobOf(row)
}

/** One page, the newest first. Not a named statement: the planner must see which conditions are present. */
export async function listJobs(pool: Pool, query: VideoListQuery): Promise<SeenVideoJob[]> {
  const { scope, before, model, status, limit } = query
  // Nearly all jobs are completed. The others have their own index.
  const ofState = status === null || status === 'completed' ? '' : ` AND state <> 'completed'`
  const text = `SELECT id, model, progress, cost_nano, created_at, completed_at, stored_until
    FROM video_jobs WHERE wallet_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ${ofOwner('$3', '$4')}
      AND ($5::text IS NULL OR model = $5) AND ($6::text IS NULL OR progress ->> 'status' = $6)${ofState}
    ORDER BY id DESC LIMIT $7`
  const { rows } = await pool.query<Row>(text, [scope.walletId, before, ...ownerOf(scope), model, status, limit])
  return rows.map(seenJobOf)
}

/** Restricts the rows to one member or one key, if the scope names one. */
function ofOwner(member: string, key: string): string {
  return `(${member}::uuid IS NULL OR asker ->> 'memberId' = ${member}::text) AND (${key}::uuid IS NULL OR asker ->> 'keyId' = ${key}::text)`
}

function seenJobOf(row: Row): SeenVideoJob {
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

export async function claimJobs(
  pool: Pool,
  sealingKey: SealingKey,
  { atMost, claimMs }: { atMost: number; claimMs: number },
): Promise<ClaimedJob[]> {
  // Workers do not wait for each other: they skip rows that another one is claiming.
  const text = `UPDATE video_jobs j
    SET claim = j.claim + 1, due_at = clock_timestamp() + $2 * interval '1 millisecond'
    FROM (SELECT id FROM video_jobs
          WHERE state NOT IN ('completed', 'failed') AND due_at <= clock_timestamp()
          ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due
    WHERE j.id = due.id
    RETURNING j.id, j.wallet_id, j.model, j.task, j.candidates, j.asker, j.held_nano, j.windows, j.progress, j.claim,
      j.own_url, j.callback_url, j.created_at, j.deadline_at`
  const { rows } = await pool.query<JobRow>({ name: 'claim-video-jobs', text, values: [atMost, claimMs] })
  return rows.map((row) => claimedJobOf(row, sealingKey))
}

export async function renewClaims(pool: Pool, claims: readonly ClaimedJob[], claimMs: number): Promise<void> {
  // A step may have been written since the worker chose the claims to renew. Its due time is not moved earlier.
  const text = `UPDATE video_jobs j SET due_at = greatest(j.due_at, clock_timestamp() + $3 * interval '1 millisecond')
    FROM unnest($1::uuid[], $2::bigint[]) AS u (id, claim)
    WHERE j.id = u.id AND j.claim = u.claim AND j.state NOT IN ('completed', 'failed')`
  const ids = arrayLiteral(claims.map(({ id }) => id))
  const numbers = arrayLiteral(claims.map(({ claim }) => claim))
  await pool.query({ name: 'renew-video-claims', text, values: [ids, numbers, claimMs] })
}

export interface JobMove {
  readonly job: ClaimedJob
  readonly progress: JobProgress
  readonly dueInMs: number
}

/** Updates a batch of distinct jobs and reports for each whether its claim was still valid. */
export async function moveJobs(pool: Pool, moves: readonly JobMove[]): Promise<boolean[]> {
  const text = `UPDATE video_jobs j
    SET progress = m.progress, state = m.progress ->> 'state', due_at = clock_timestamp() + m.due_in_ms * interval '1 millisecond'
    FROM json_to_recordset($1::json) AS m (id uuid, claim bigint, progress jsonb, due_in_ms bigint)
    WHERE j.id = m.id AND j.claim = m.claim AND j.state NOT IN ('completed', 'failed')
    RETURNING j.id`
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
