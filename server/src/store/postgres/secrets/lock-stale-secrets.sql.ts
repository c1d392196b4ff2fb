import type { PoolClient } from 'pg'
import { parseSealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StaleSecret } from '#ports/sealed-secrets.ts'
import type { SealedColumn } from './sealed-columns.ts'

// The names come from the list of columns, never from anybody outside.
const textFor = ({ table, column }: SealedColumn): string => `SELECT id, ${column} AS sealed FROM ${table}
  WHERE ${column}->>'keyId' <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3 FOR NO KEY UPDATE`

/** Secrets under another key than this one, in the order of their ids, kept from others until the transaction ends. */
export async function lockStaleSecrets(
  client: PoolClient,
  column: SealedColumn,
  page: { keyId: string; after: Uuid | null; limit: number },
): Promise<StaleSecret[]> {
  const values = [page.keyId, page.after, page.limit]
  const { rows } = await client.query<{ id: string; sealed: unknown }>(textFor(column), values)
  return rows.map(({ id, sealed }) => ({ id, sealed: parseSealed(sealed), associated: column.associated(id) }))
}
