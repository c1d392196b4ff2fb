import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerKind, CustomerName } from '#ports/customers.ts'

interface Row {
  wallet_id: string
  kind: CustomerKind
  id: string
  name: string | null
}

/** The customers of the wallets on a page. */
export async function nameWallets(pool: Pool, walletIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, CustomerName>> {
  if (walletIds.length === 0) return new Map()
  const text = `SELECT w.id AS wallet_id, w.owner_kind AS kind, w.owner_id AS id,
      coalesce(o.name, CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END) AS name
    FROM wallets w LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
      LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    WHERE w.id = ANY ($1::uuid[])`
  const { rows } = await pool.query<Row>({ name: 'name-wallets', text, values: [[...new Set(walletIds)]] })
  return new Map(rows.map(({ wallet_id: walletId, ...name }) => [walletId, name]))
}
