import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { WalletTotals } from '#ports/account.ts'
import { readNano } from '../nano-column.ts'

const text = 'SELECT credited_nano, charged_nano FROM wallets WHERE id = $1'

export async function readWalletTotals(pool: Pool, walletId: Uuid): Promise<WalletTotals> {
  const { rows } = await pool.query<{ credited_nano: string; charged_nano: string }>({
    name: 'read-wallet-totals',
    text,
    values: [walletId],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`a key names the wallet ${walletId}, which does not exist`)
  return { credited: readNano(row.credited_nano), charged: readNano(row.charged_nano) }
}
