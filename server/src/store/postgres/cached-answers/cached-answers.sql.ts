import type { Pool, PoolClient } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CacheClaim, CacheEntry, CacheKey, CacheSlot } from '#ports/cached-answers.ts'

// Whether a request that accepts answers of this age (in ms) can use the row.
const isUsable = (row: string, age: string): string => `CASE ${row}.state
    WHEN 'filling' THEN ${row}.lease_until >= clock_timestamp()
    ELSE ${row}.expires_at > clock_timestamp() AND ${row}.filled_at > clock_timestamp() - ${age} * interval '1 ms' END`

interface EntryRow {
  readonly id: Uuid
  readonly state: CacheEntry['state']
  readonly sealed_key: JsonObject
  readonly age_ms: number
  readonly left_ms: number
}

export async function findCached(pool: Pool, key: CacheKey, maxAgeMs: number): Promise<EntryRow | null> {
  const text = `SELECT a.id, a.state, a.sealed_key,
      coalesce(extract(epoch FROM clock_timestamp() - a.filled_at)::float8, 0) * 1000 AS age_ms,
      extract(epoch FROM a.expires_at - clock_timestamp())::float8 * 1000 AS left_ms
    FROM cached_answers a
    WHERE a.wallet_id = $1 AND a.digest = $2 AND ${isUsable('a', '$3')}`
  const values = [key.walletId, key.digest, maxAgeMs]
  const { rows } = await pool.query<EntryRow>({ name: 'find-cached-answer', text, values })
  return rows[0] ?? null
}

/** Creates the row of a request, or takes over an unusable one. One statement, because requests are concurrent. */
export async function claimCached(
  pool: Pool,
  { walletId, digest }: CacheKey,
  { id, userId, maxAgeMs, sealedKey, leaseMs }: CacheClaim & { sealedKey: object; leaseMs: number },
): Promise<boolean> {
  const text = `INSERT INTO cached_answers AS a (wallet_id, digest, id, user_id, sealed_key, lease_until, expires_at)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms', clock_timestamp() + $6 * interval '1 ms')
    ON CONFLICT (wallet_id, digest) DO UPDATE SET id = excluded.id, user_id = excluded.user_id, state = 'filling',
      bytes = 0, sealed_key = excluded.sealed_key, lease_until = excluded.lease_until, filled_at = NULL,
      expires_at = excluded.expires_at
      WHERE NOT (${isUsable('a', '$7')})`
  const values = [walletId, digest, id, userId, sealedKey, leaseMs, maxAgeMs]
  const { rowCount } = await pool.query({ name: 'claim-cached-answer', text, values })
  return rowCount === 1
}

/** Returns false if the gateway lost its lease, and another request fills the row. */
export async function fillCached(
  pool: Pool,
  { key, id }: CacheSlot,
  filled: { readonly state: 'complete' | 'unfit'; readonly bytes: number; readonly ttlMs: number },
): Promise<boolean> {
  const text = `UPDATE cached_answers SET state = $4, bytes = $5, filled_at = clock_timestamp(),
      expires_at = clock_timestamp() + $6 * interval '1 ms'
    WHERE wallet_id = $1 AND digest = $2 AND id = $3 AND state = 'filling'`
  const values = [key.walletId, key.digest, id, filled.state, filled.bytes, filled.ttlMs]
  const { rowCount } = await pool.query({ name: 'fill-cached-answer', text, values })
  return rowCount === 1
}

/** Deletes the oldest answers of a wallet beyond its limit, and returns their ids. */
export async function trimCached(pool: Pool, walletId: Uuid, bytesMax: number): Promise<Uuid[]> {
  const text = `DELETE FROM cached_answers WHERE id IN (SELECT id FROM cached_answers WHERE id IN (
      SELECT n.id FROM (SELECT id, sum(bytes) OVER (ORDER BY filled_at DESC, id) AS total FROM cached_answers
        WHERE wallet_id = $1 AND filled_at IS NOT NULL) AS n WHERE n.total > $2)
      AND state = 'complete' FOR UPDATE SKIP LOCKED)
    RETURNING id`
  const { rows } = await pool.query<{ id: Uuid }>({ name: 'trim-cached-answers', text, values: [walletId, bytesMax] })
  return rows.map(({ id }) => id)
}

export async function forgetCached(pool: Pool, { key, id }: Pick<CacheSlot, 'key' | 'id'>): Promise<void> {
  const text = 'DELETE FROM cached_answers WHERE wallet_id = $1 AND digest = $2 AND id = $3'
  await pool.query({ name: 'forget-cached-answer', text, values: [key.walletId, key.digest, id] })
}

export async function renewCached(pool: Pool, ids: readonly Uuid[], leaseMs: number): Promise<void> {
  const text = `UPDATE cached_answers SET lease_until = clock_timestamp() + $2 * interval '1 ms',
      expires_at = clock_timestamp() + $2 * interval '1 ms'
    WHERE id = ANY ($1::uuid[]) AND state = 'filling'`
  await pool.query({ name: 'renew-cached-answers', text, values: [ids, leaseMs] })
}

/** Deletes expired answers and returns how many. */
export async function purgeCached(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM cached_answers WHERE id IN (SELECT id FROM cached_answers
       WHERE expires_at < clock_timestamp() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [atMost],
  )
  return rowCount ?? 0
}

/** Erases a person's answers: their blobs cannot be decrypted without the key in the row. */
export async function eraseCached(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `DELETE FROM cached_answers a WHERE a.user_id = $1
       OR a.wallet_id IN (SELECT w.id FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId],
  )
}
