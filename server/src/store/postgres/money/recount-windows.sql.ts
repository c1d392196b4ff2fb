import type { Pool, PoolClient } from 'pg'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT recount_windows($1::text[], ARRAY[$2]::uuid[])'

/**
 * Counts the open windows of an owner anew from stored sums. Whoever sets or changes a limit calls it in the same
 * transaction: while there was no limit nothing was counted.
 */
export async function recountWindows(
  connection: Pool | PoolClient,
  windows: { kinds: readonly ScopeKind[]; ownerId: Uuid },
): Promise<void> {
  await connection.query({ name: 'recount-windows', text, values: [windows.kinds, windows.ownerId] })
}
