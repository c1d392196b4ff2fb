import type { Pool, PoolClient } from 'pg'
import { dayMs } from '#lib/utc-calendar.ts'
import { firstUuidAt, type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import { readFirstDay } from './look-at-generations.sql.ts'
import { inTransaction } from '../with-client.ts'

/**
 * Lets workers remove the names of a person's users from requests, of which there may be millions. The lock on the
 * wallet makes running settles wait: those that follow see that the person was deleted, and store no name.
 */
export async function eraseEndUsers(client: PoolClient, userId: Uuid): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1 FOR NO KEY UPDATE`,
    [userId],
  )
  for (const { id } of rows) {
    const from = firstUuidAt(await readFirstDay(client, id))
    await client.query('INSERT INTO end_user_erasures (wallet_id, next_id) VALUES ($1, $2)', [id, from])
  }
}

/** Removes the users from requests of deleted persons and returns from how many. */
export async function purgeEndUsers(
  pool: Pool,
  { nowMs, atMost }: { readonly nowMs: number; readonly atMost: number },
): Promise<number> {
  let purged = 0
  while (purged < atMost) {
    const step = await inTransaction(pool, 'READ COMMITTED', (client) =>
      purgeSpan(client, { nowMs, atMost: atMost - purged }),
    )
    if (step === null) break
    purged += step
  }
  return purged
}

// A statement locks every partition in its range with all of its indexes.
const spanMs = 32 * dayMs
// How far ahead the ids of gateways may be.
const slackMs = 2 * dayMs

/** Continues with the oldest requests of one wallet. Null if no wallet is left, or only those of other workers. */
async function purgeSpan(
  client: PoolClient,
  { nowMs, atMost }: { nowMs: number; atMost: number },
): Promise<number | null> {
  const { rows } = await client.query<{ wallet_id: string; next_id: string }>(
    'SELECT wallet_id, next_id FROM end_user_erasures ORDER BY wallet_id LIMIT 1 FOR UPDATE SKIP LOCKED',
  )
  const [erasure] = rows
  if (erasure === undefined) return null
  const { wallet_id: walletId, next_id: from } = erasure
  const endMs = uuidTimeMs(from) + spanMs
  const below = firstUuidAt(endMs)
  // Not a named statement: partitions are pruned only if the values are known when it is planned.
  const { rowCount } = await client.query(
    `UPDATE generations SET end_user = NULL WHERE id >= $2 AND id < $3 AND id IN (
       SELECT g.id FROM generations g
       WHERE g.wallet_id = $1 AND g.end_user IS NOT NULL AND g.id >= $2 AND g.id < $3 LIMIT $4)`,
    [walletId, from, below, atMost],
  )
  const purged = rowCount ?? 0
  if (purged === atMost) return purged
  if (endMs > nowMs + slackMs) await client.query('DELETE FROM end_user_erasures WHERE wallet_id = $1', [walletId])
  else await client.query('UPDATE end_user_erasures SET next_id = $2 WHERE wallet_id = $1', [walletId, below])
  return purged
}
