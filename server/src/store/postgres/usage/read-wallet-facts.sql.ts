import type { Pool } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import { readNano } from '../nano-column.ts'

const text = 'SELECT balance_nano, created_at FROM wallets WHERE id = $1'

export async function readWalletFacts(pool: Pool, walletId: Uuid): Promise<{ balance: NanoUsd; createdAtMs: number }> {
  const { rows } = await pool.query<{ balance_nano: string; created_at: Date }>({
    name: 'read-wallet-facts',
    text,
    values: [walletId],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`a caller has the wallet ${walletId}, which does not exist`)
  return { balance: readNano(row.balance_nano), createdAtMs: row.created_at.getTime() }
}
