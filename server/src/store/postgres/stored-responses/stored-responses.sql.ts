import type { Pool, PoolClient } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FoundResponse, ResponseOwner } from '#ports/stored-responses.ts'

/** The associated data of the key that decrypts a response. */
export const responseKeyName = (id: Uuid): string => `stored response ${id}`

const isRunning = `state = 'running' AND lease_until >= clock_timestamp()`
const isOwned = 'id = $1 AND wallet_id = $2 AND person_id IS NOT DISTINCT FROM $3'

/**
 * Returns false if the person was deleted. The lock on the person makes a running deletion wait for this row, or this
 * row for the deletion.
 */
export async function insertResponse(
  pool: Pool,
  { walletId, personId }: ResponseOwner,
  row: {
    readonly id: Uuid
    readonly bytes: number
    readonly sealedKey: object
    readonly keptMs: number
    /** Null for a response that has ended. */
    readonly leaseMs: number | null
  },
): Promise<boolean> {
  const text = `WITH person AS MATERIALIZED (
      SELECT 1 FROM users u WHERE u.id = $3 AND u.email NOT LIKE 'deleted:%' FOR KEY SHARE)
    INSERT INTO stored_responses (id, wallet_id, person_id, state, bytes, sealed_key, lease_until, expires_at)
    SELECT $1, $2, $3::uuid, CASE WHEN $6::float8 IS NULL THEN 'ended' ELSE 'running' END, $4, $5,
      clock_timestamp() + $6 * interval '1 ms', clock_timestamp() + $7 * interval '1 ms'
    WHERE $3::uuid IS NULL OR EXISTS (SELECT FROM person)`
  const values = [row.id, walletId, personId, row.bytes, row.sealedKey, row.leaseMs, row.keptMs]
  const { rowCount } = await pool.query({ name: 'insert-stored-response', text, values })
  return rowCount === 1
}

/** A response whose lease has lapsed stays failed, even if its gateway goes on. */
export async function finishResponse(pool: Pool, id: Uuid, addedBytes: number): Promise<boolean> {
  const text = `UPDATE stored_responses SET state = 'ended', lease_until = NULL, bytes = bytes + $2
    WHERE id = $1 AND ${isRunning}`
  const { rowCount } = await pool.query({ name: 'finish-stored-response', text, values: [id, addedBytes] })
  return rowCount === 1
}

export async function renewResponses(pool: Pool, ids: readonly Uuid[], leaseMs: number): Promise<Uuid[]> {
  const text = `UPDATE stored_responses SET lease_until = clock_timestamp() + $2 * interval '1 ms'
    WHERE id = ANY ($1::uuid[]) AND ${isRunning} RETURNING id`
  const { rows } = await pool.query<{ id: Uuid }>({ name: 'renew-stored-responses', text, values: [ids, leaseMs] })
  return rows.map(({ id }) => id)
}

interface FoundRow {
  readonly state: FoundResponse['state']
  readonly sealed_key: JsonObject
}

/** The response of a dead gateway was stored before its settle, so it has ended if it was charged. */
export async function findResponse(
  pool: Pool,
  { walletId, personId }: ResponseOwner,
  id: Uuid,
): Promise<FoundRow | null> {
  const text = `SELECT sealed_key, CASE WHEN state <> 'running' OR ${isRunning} THEN state
      WHEN EXISTS (SELECT FROM generations g WHERE g.id = $1 AND g.refund_reason IS NULL) THEN 'ended'
      ELSE 'lapsed' END AS state
    FROM stored_responses WHERE ${isOwned} AND expires_at > clock_timestamp()`
  const { rows } = await pool.query<FoundRow>({ name: 'find-stored-response', text, values: [id, walletId, personId] })
  return rows[0] ?? null
}

export async function cancelResponse(pool: Pool, { walletId, personId }: ResponseOwner, id: Uuid): Promise<boolean> {
  const text = `UPDATE stored_responses SET state = 'cancelled', lease_until = NULL WHERE ${isOwned} AND ${isRunning}`
  const { rowCount } = await pool.query({ name: 'cancel-stored-response', text, values: [id, walletId, personId] })
  return rowCount === 1
}

export async function deleteResponse(pool: Pool, { walletId, personId }: ResponseOwner, id: Uuid): Promise<boolean> {
  const text = `DELETE FROM stored_responses WHERE ${isOwned} AND expires_at > clock_timestamp() AND NOT (${isRunning})`
  const { rowCount } = await pool.query({ name: 'delete-stored-response', text, values: [id, walletId, personId] })
  return rowCount === 1
}

/** Deletes the oldest responses of a wallet beyond its limit, and returns their ids. Running ones stay. */
export async function trimResponses(pool: Pool, walletId: Uuid, bytesMax: number): Promise<Uuid[]> {
  const text = `DELETE FROM stored_responses WHERE id IN (SELECT id FROM stored_responses WHERE id IN (
      SELECT n.id FROM (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM stored_responses
        WHERE wallet_id = $1) AS n WHERE n.total > $2)
      AND NOT (${isRunning}) FOR UPDATE SKIP LOCKED)
    RETURNING id`
  const { rows } = await pool.query<{ id: Uuid }>({ name: 'trim-stored-responses', text, values: [walletId, bytesMax] })
  return rows.map(({ id }) => id)
}

/** Deletes expired responses and returns how many. */
export async function purgeResponses(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM stored_responses WHERE id IN (SELECT id FROM stored_responses
       WHERE expires_at < clock_timestamp() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [atMost],
  )
  return rowCount ?? 0
}

/** Erases a person's responses: their blobs cannot be decrypted without the key in the row. */
export async function eraseResponses(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `DELETE FROM stored_responses r WHERE r.person_id = $1
       OR r.wallet_id IN (SELECT w.id FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId],
  )
}
