import type { Pool } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { UsageSubjects } from '#ports/usage.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

/** Wallets and names of keys in Postgres. */
export function createPostgresUsageSubjects(pool: Pool): UsageSubjects {
  return {
    readWallet: (walletId) => refuseWhenAway(readWalletFacts(pool, walletId)),
    readKeyNames: (query) => refuseWhenAway(readKeyNames(pool, query)),
  }
}

async function readKeyNames(
  pool: Pool,
  query: { walletId: Uuid; keyIds: readonly Uuid[] },
): Promise<Map<Uuid, string>> {
  // Revoked keys stay in the table, so their usage keeps its name.
  const text = 'SELECT id, name FROM api_keys WHERE id = ANY ($2::uuid[]) AND wallet_id = $1'
  const values = [query.walletId, query.keyIds]
  const { rows } = await pool.query<{ id: string; name: string }>({ name: 'read-key-names', text, values })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function readWalletFacts(pool: Pool, walletId: Uuid): Promise<{ balance: NanoUsd; createdAtMs: number }> {
  const text = 'SELECT balance_nano, created_at FROM wallets WHERE id = $1'
  const { rows } = await pool.query<{ balance_nano: string; created_at: Date }>({
    name: 'read-wallet-facts',
    text,
    values: [walletId],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`a principal references the wallet ${walletId}, which does not exist`)
  return { balance: readNano(row.balance_nano), createdAtMs: row.created_at.getTime() }
}
