import type { Pool } from 'pg'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LapsedHold } from '#ports/account.ts'
import { ownerOf } from '../generations/owner-of.ts'
import { readNano } from '../nano-column.ts'

// A hold knows its key alone; whose key that is says the key, which is kept when it is revoked.
const text = `SELECT h.id, h.wallet_id, h.key_id, h.amount_nano, h.lapsed_at
  FROM lapsed_holds h LEFT JOIN api_keys k ON k.id = h.key_id
  WHERE h.id = $2 AND h.wallet_id = $1 AND ($3::uuid IS NULL OR k.member_id = $3) AND ($4::uuid IS NULL OR h.key_id = $4)`

interface Row {
  id: string
  wallet_id: string
  key_id: string
  amount_nano: string
  lapsed_at: Date
}

export async function findLapsedHold(pool: Pool, scope: UsageScope, id: Uuid): Promise<LapsedHold | null> {
  const { rows } = await pool.query<Row>({
    name: 'find-lapsed-hold',
    text,
    values: [scope.walletId, id, ...ownerOf(scope)],
  })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    walletId: row.wallet_id,
    keyId: row.key_id,
    amount: readNano(row.amount_nano),
    lapsedAtMs: row.lapsed_at.getTime(),
  }
}
