import type { Pool, PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'

type TakenKey = { readonly outcome: 'new' | 'other request' } | { readonly outcome: 'known'; resultId: Uuid }

/**
 * Records a request in the transaction that acts on it. The same request at the same time waits here until that
 * transaction has ended, and then finds its result.
 */
export async function takeIdempotencyKey(
  client: PoolClient,
  { scope, key, fingerprint }: IdempotentRequest,
  resultId: Uuid,
): Promise<TakenKey> {
  await client.query('SAVEPOINT before_key')
  const inserted = await client.query(
    `INSERT INTO idempotency_keys (scope, key, fingerprint, result_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [scope, key, fingerprint, resultId],
  )
  if (inserted.rowCount === 1) return { outcome: 'new' }
  const text = 'SELECT fingerprint, result_id FROM idempotency_keys WHERE scope = $1 AND key = $2'
  const { rows } = await client.query<{ fingerprint: string; result_id: string }>(text, [scope, key])
  const [known] = rows
  assert(known !== undefined, 'a key in conflict is there')
  if (known.fingerprint !== fingerprint) return { outcome: 'other request' }
  return { outcome: 'known', resultId: known.result_id }
}

/** Releases the key if nothing was done, so that it can be tried again. */
export async function returnIdempotencyKey(client: PoolClient, request: IdempotentRequest | null): Promise<void> {
  if (request !== null) await client.query('ROLLBACK TO SAVEPOINT before_key')
}

/** Deletes keys that no client sends again and returns how many. Keys are kept far longer than any retry lasts. */
export async function purgeIdempotencyKeys(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM idempotency_keys WHERE (scope, key) IN (SELECT scope, key FROM idempotency_keys
      WHERE created_at < now() - interval '90 days' ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}
