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

/** Deletes spend-breaker windows that are over and hold nothing, and returns how many. */
export async function purgeWindows(pool: Pool, atMost: number): Promise<number> {
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
