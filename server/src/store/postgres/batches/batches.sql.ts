import type { Pool, PoolClient } from 'pg'
import type { Batch, BatchApi, BatchError, BatchStatus } from '#domain/batches/batch.ts'
import type { FileOwner } from '#domain/files/file-owner.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BatchListQuery, BatchReference, NewBatch } from '#ports/batches.ts'
import { inTransaction } from '../with-client.ts'

interface BatchRow {
  readonly id: Uuid
  readonly api: BatchApi
  readonly endpoint: string
  readonly input_file_id: Uuid
  readonly metadata: JsonObject | null
  readonly status: BatchStatus
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly expired: number
  readonly cancelled: number
  readonly errors: BatchError[] | null
  readonly output_file_id: Uuid | null
  readonly error_file_id: Uuid | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly in_progress_at: Date | null
  readonly finalizing_at: Date | null
  readonly cancelling_at: Date | null
  readonly ended_at: Date | null
}

const columns = `id, api, endpoint, input_file_id, metadata, status, total, completed, failed, expired, cancelled, errors,
  output_file_id, error_file_id, created_at, expires_at, in_progress_at, finalizing_at, cancelling_at, ended_at`

function batchOf(row: BatchRow): Batch {
  const { total, completed, failed, expired, cancelled } = row
  return {
    id: row.id,
    api: row.api,
    endpoint: row.endpoint,
    inputFileId: row.input_file_id,
    metadata: row.metadata,
    status: row.status,
    counts: { total, completed, failed, expired, cancelled },
    errors: row.errors,
    outputFileId: row.output_file_id,
    errorFileId: row.error_file_id,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    inProgressAtMs: row.in_progress_at?.getTime() ?? null,
    finalizingAtMs: row.finalizing_at?.getTime() ?? null,
    cancellingAtMs: row.cancelling_at?.getTime() ?? null,
    endedAtMs: row.ended_at?.getTime() ?? null,
  }
}

const isOpen = `status IN ('validating', 'in_progress', 'finalizing')`

export function insertBatch(pool: Pool, batch: NewBatch, sealedKey: object): Promise<Batch | 'full'> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    // Creations of one wallet follow one another, so that together they do not exceed its limit.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('batches ' || $1::text, 0))`, [batch.walletId])
    const text = `INSERT INTO batches (id, wallet_id, owner_id, user_id, api, key_id, endpoint, input_file_id, metadata,
        sealed_key, created_at, expires_at, client_network)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $14
      WHERE (SELECT count(*) < $13::bigint FROM batches WHERE wallet_id = $2 AND ${isOpen})
      RETURNING ${columns}`
    const { rows } = await client.query<BatchRow>(text, [
      batch.id,
      batch.walletId,
      batch.ownerId,
      batch.userId,
      batch.api,
      batch.keyId,
      batch.endpoint,
      batch.inputFileId,
      batch.metadata === null ? null : JSON.stringify(batch.metadata),
      sealedKey,
      new Date(batch.createdAtMs),
      new Date(batch.expiresAtMs),
      batch.openMax,
      batch.network,
    ])
    const [row] = rows
    return row === undefined ? 'full' : batchOf(row)
  })
}

const ofOwner = 'wallet_id = $1 AND owner_id IS NOT DISTINCT FROM $2 AND api = $3'

export async function findBatch(pool: Pool, owner: FileOwner, { api, id }: BatchReference): Promise<Batch | null> {
  const text = `SELECT ${columns} FROM batches WHERE ${ofOwner} AND id = $4`
  const values = [owner.walletId, owner.ownerId, api, id]
  const { rows } = await pool.query<BatchRow>({ name: 'find-batch', text, values })
  const [row] = rows
  return row === undefined ? null : batchOf(row)
}

/** The newest first. Not a named statement: the planner must see which conditions are present. */
export async function listBatches(pool: Pool, owner: FileOwner, query: BatchListQuery): Promise<Batch[]> {
  const { api, after, before, limit } = query
  const order = before === null ? 'DESC' : 'ASC'
  const text = `SELECT ${columns} FROM batches
    WHERE ${ofOwner} AND ($4::uuid IS NULL OR id < $4) AND ($5::uuid IS NULL OR id > $5)
    ORDER BY id ${order} LIMIT $6`
  const { rows } = await pool.query<BatchRow>(text, [owner.walletId, owner.ownerId, api, after, before, limit])
  const found = rows.map(batchOf)
  return before === null ? found : found.toReversed()
}

export async function cancelBatch(
  pool: Pool,
  owner: FileOwner,
  { api, id }: BatchReference,
  nowMs: number,
): Promise<Batch | null> {
  const text = `UPDATE batches SET cancelling_at = coalesce(cancelling_at, $5), due_at = clock_timestamp()
    WHERE ${ofOwner} AND id = $4 AND status IN ('validating', 'in_progress') RETURNING ${columns}`
  const values = [owner.walletId, owner.ownerId, api, id, new Date(nowMs)]
  const { rows } = await pool.query<BatchRow>({ name: 'cancel-batch', text, values })
  const [row] = rows
  return row === undefined ? findBatch(pool, owner, { api, id }) : batchOf(row)
}

/** The results go with the batch: their files expire at once. */
export async function removeBatch(
  pool: Pool,
  owner: FileOwner,
  which: BatchReference,
): Promise<'removed' | 'running' | 'missing'> {
  const text = `WITH removed AS (
      DELETE FROM batches WHERE ${ofOwner} AND id = $4 AND NOT ${isOpen}
      RETURNING input_file_id, output_file_id, error_file_id),
    files_too AS (
      UPDATE files f SET expires_at = '-infinity' FROM removed r
      WHERE f.id IN (r.input_file_id, r.output_file_id, r.error_file_id))
    SELECT FROM removed`
  const values = [owner.walletId, owner.ownerId, which.api, which.id]
  const { rowCount } = await pool.query({ name: 'remove-batch', text, values })
  if (rowCount === 1) return 'removed'
  return (await findBatch(pool, owner, which)) === null ? 'missing' : 'running'
}

/** Batches whose results have expired. */
export async function purgeBatches(
  pool: Pool,
  { endedBeforeMs, atMost }: { endedBeforeMs: number; atMost: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM batches WHERE id IN (SELECT id FROM batches
       WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [new Date(endedBeforeMs), atMost],
  )
  return rowCount ?? 0
}

/** Erases a person's batches, with the lines that have not run. */
export async function eraseBatches(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `DELETE FROM batches b WHERE b.user_id = $1
       OR b.wallet_id IN (SELECT w.id FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId],
  )
}
