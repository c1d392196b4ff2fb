import type { Pool, PoolClient } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AnswerClaim, AnswerProgress } from '#ports/answers.ts'

interface ClaimRow {
  readonly id: Uuid
  readonly is_new: boolean
  readonly is_same: boolean
}

/**
 * One statement, because two clients may send one key at once. Null if the other one's row became visible only after
 * this statement began; the next try finds it.
 */
export async function claimAnswer(
  pool: Pool,
  { id, walletId, userId, scope, fingerprint }: AnswerClaim,
  { sealedKey, leaseMs, keptMs }: { sealedKey: object; leaseMs: number; keptMs: number },
): Promise<ClaimRow | null> {
  const text = `WITH claimed AS (
      INSERT INTO idempotent_answers AS a (id, wallet_id, scope, fingerprint, sealed_key, lease_until, expires_at, user_id)
      VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms', clock_timestamp() + $7 * interval '1 ms',
        $8)
      ON CONFLICT (scope) DO UPDATE SET id = excluded.id, wallet_id = excluded.wallet_id, user_id = excluded.user_id, state = 'running',
        is_kept = true, chunks = 0, fingerprint = excluded.fingerprint, sealed_key = excluded.sealed_key,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at
        WHERE a.expires_at <= clock_timestamp()
      RETURNING a.id)
    SELECT c.id, true AS is_new, true AS is_same FROM claimed c
    UNION ALL
    SELECT a.id, false, a.fingerprint = $4 FROM idempotent_answers a
    WHERE a.scope = $3 AND NOT EXISTS (SELECT FROM claimed)`
  const values = [id, walletId, scope, fingerprint, sealedKey, leaseMs, keptMs, userId]
  const { rows } = await pool.query<ClaimRow>({ name: 'claim-answer', text, values })
  return rows[0] ?? null
}

/**
 * Hands a request over to another generation, if the generation of the dead gateway is settled as refunded: from then
 * on it can charge nothing.
 */
export async function takeOverAnswer(
  pool: Pool,
  from: Uuid,
  { id, sealedKey, leaseMs }: { id: Uuid; sealedKey: object; leaseMs: number },
): Promise<boolean> {
  const text = `UPDATE idempotent_answers SET id = $2, state = 'running', is_kept = true, chunks = 0, sealed_key = $3,
      lease_until = clock_timestamp() + $4 * interval '1 ms'
    WHERE id = $1 AND state <> 'settled' AND lease_until < clock_timestamp()
      AND EXISTS (SELECT FROM generations g WHERE g.id = $1 AND g.refund_reason IS NOT NULL)`
  const { rowCount } = await pool.query({ name: 'take-over-answer', text, values: [from, id, sealedKey, leaseMs] })
  return rowCount === 1
}

/** Marks the answer of a dead gateway as settled, if its generation was delivered. An incomplete answer is not kept. */
export async function concludeAnswer(pool: Pool, id: Uuid): Promise<void> {
  const text = `UPDATE idempotent_answers SET state = 'settled', is_kept = is_kept AND state <> 'running'
    WHERE id = $1 AND state <> 'settled'
      AND EXISTS (SELECT FROM generations g WHERE g.id = $1 AND g.refund_reason IS NULL)`
  await pool.query({ name: 'conclude-answer', text, values: [id] })
}

/** Marks the answer to an accepted video job as settled. A worker settles the job itself. */
export async function concludeJobAnswer(pool: Pool, id: Uuid): Promise<boolean> {
  const text = `UPDATE idempotent_answers SET state = 'settled', is_kept = is_kept AND state <> 'running'
    WHERE id = $1 AND EXISTS (SELECT FROM video_jobs j WHERE j.id = $1)`
  const { rowCount } = await pool.query({ name: 'conclude-job-answer', text, values: [id] })
  return rowCount === 1
}

interface ProgressRow {
  readonly state: AnswerProgress['state']
  readonly is_kept: boolean
  readonly chunks: number
  readonly is_abandoned: boolean
  readonly sealed_key: JsonObject
}

export async function findAnswer(pool: Pool, id: Uuid): Promise<ProgressRow | null> {
  const text = `SELECT state, is_kept, chunks, sealed_key,
      state <> 'settled' AND lease_until < clock_timestamp() AS is_abandoned
    FROM idempotent_answers WHERE id = $1`
  const { rows } = await pool.query<ProgressRow>({ name: 'find-answer', text, values: [id] })
  return rows[0] ?? null
}

export async function noteAnswer(
  pool: Pool,
  id: Uuid,
  { state, chunks, isKept }: Pick<AnswerProgress, 'state' | 'chunks' | 'isKept'>,
): Promise<void> {
  const text = `UPDATE idempotent_answers SET state = $2, chunks = $3, is_kept = $4 WHERE id = $1 AND state <> 'settled'`
  await pool.query({ name: 'note-answer', text, values: [id, state, chunks, isKept] })
}

export async function renewAnswers(pool: Pool, ids: readonly Uuid[], leaseMs: number): Promise<void> {
  const text = `UPDATE idempotent_answers SET lease_until = clock_timestamp() + $2 * interval '1 ms'
    WHERE id = ANY ($1::uuid[]) AND state <> 'settled'`
  await pool.query({ name: 'renew-answers', text, values: [ids, leaseMs] })
}

export async function forgetAnswer(pool: Pool, id: Uuid): Promise<void> {
  await pool.query({ name: 'forget-answer', text: 'DELETE FROM idempotent_answers WHERE id = $1', values: [id] })
}

/** Deletes the requests whose keys have expired and returns how many. */
export async function purgeAnswers(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM idempotent_answers WHERE id IN (SELECT id FROM idempotent_answers
       WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [atMost],
  )
  return rowCount ?? 0
}

/** Erases a person's answers: their blobs cannot be decrypted without the key in the row. */
export async function eraseAnswers(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `DELETE FROM idempotent_answers a WHERE a.user_id = $1
       OR a.wallet_id IN (SELECT w.id FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId],
  )
}
