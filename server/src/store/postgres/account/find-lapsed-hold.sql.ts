import type { Pool } from 'pg'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LapsedHold } from '#ports/account.ts'

const text = `SELECT id, wallet_id, key_id, amount_nano, lapsed_at FROM lapsed_holds WHERE id = $2 AND wallet_id = $1`

interface Row {
  id: string
  wallet_id: string
  key_id: string
  amount_nano: string
  lapsed_at: Date
}

export async function findLapsedHold(pool: Pool, walletId: Uuid, id: Uuid): Promise<LapsedHold | null> {
  const { rows } = await pool.query<Row>({ name: 'find-lapsed-hold', text, values: [walletId, id] })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    walletId: row.wallet_id,
    keyId: row.key_id,
    amount: nanoUsd(BigInt(row.amount_nano)),
    lapsedAtMs: row.lapsed_at.getTime(),
  }
}
