import type { Pool, PoolClient } from 'pg'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Recounts the open windows of an owner from stored sums. A change of a limit calls it in the same transaction, because
 * nothing was counted while there was no limit.
 */
export async function recountWindows(
  connection: Pool | PoolClient,
  windows: { kinds: readonly ScopeKind[]; ownerId: Uuid },
): Promise<void> {
  const text = 'SELECT recount_windows($1::text[], ARRAY[$2]::uuid[])'
  await connection.query({ name: 'recount-windows', text, values: [windows.kinds, windows.ownerId] })
}

/** Deletes windows that are over and hold nothing, up to a maximum of each kind, and returns how many. */
export async function purgeWindows(pool: Pool, atMost: number): Promise<number> {
  let purged = await purgeBreakerWindows(pool, atMost)
  for (const [kind, age] of customerAges) purged += await purgeCustomerWindows(pool, { kind, age, atMost })
  return purged
}

async function purgeBreakerWindows(pool: Pool, atMost: number): Promise<number> {
  // A minute's or hour's window is not read any more hours after its end; a later settle recreates it from stored sums.
  // Skips rows that another worker is deleting.
  const text = `DELETE FROM spend_windows s USING (
      SELECT kind, owner_id, starts_at FROM spend_windows
      WHERE (kind LIKE '%\\_minute' OR kind LIKE '%\\_hour') AND held_nano = 0
        AND starts_at < (extract(epoch FROM now() - interval '3 hours') * 1000)::bigint
      ORDER BY starts_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ) AS old WHERE s.kind = old.kind AND s.owner_id = old.owner_id AND s.starts_at = old.starts_at`
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}

// Since the start of a window: a week after its end. A later settle recreates it from stored sums.
const customerAges = [
  ['customer_day', '8 days'],
  ['customer_month', '38 days'],
] as const satisfies readonly (readonly [ScopeKind, string])[]

/** There may be millions of customers, and each has a window per day, so an index of their own finds the old ones. */
async function purgeCustomerWindows(
  pool: Pool,
  { kind, age, atMost }: { kind: ScopeKind; age: string; atMost: number },
): Promise<number> {
  const text = `DELETE FROM spend_windows s USING (
      SELECT kind, owner_id, starts_at FROM spend_windows
      WHERE kind IN ('customer_day', 'customer_month') AND kind = $1 AND held_nano = 0
        AND starts_at < (extract(epoch FROM now() - $2::interval) * 1000)::bigint
      ORDER BY starts_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS old WHERE s.kind = old.kind AND s.owner_id = old.owner_id AND s.starts_at = old.starts_at`
  const { rowCount } = await pool.query(text, [kind, age, atMost])
  return rowCount ?? 0
}
