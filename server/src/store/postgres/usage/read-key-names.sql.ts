import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// Revoked keys stay in the table, so what was used with them keeps its name.
const text = 'SELECT id, name FROM api_keys WHERE id = ANY ($2::uuid[]) AND wallet_id = $1'

export async function readKeyNames(
  pool: Pool,
  query: { walletId: Uuid; keyIds: readonly Uuid[] },
): Promise<Map<Uuid, string>> {
  const values = [query.walletId, query.keyIds]
  const { rows } = await pool.query<{ id: string; name: string }>({ name: 'read-key-names', text, values })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
