import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// What is folded says more than the age of the wallet only where requests are older than it, as in books that were moved
// here. Clocks differ by less than a day.
const text = `SELECT extract(epoch FROM greatest(s.retained_from, coalesce(least(
    (SELECT (w.created_at AT TIME ZONE 'UTC')::date - 1 FROM wallets w WHERE w.id = $1),
    (SELECT min(d.day) FROM usage_account_days d WHERE d.wallet_id = $1)), (now() AT TIME ZONE 'UTC')::date))) * 1000 AS "startMs"
  FROM rollup_state s`

/** The start of a day before which no request of this wallet is to be found. */
export async function readFirstDay(pool: Pool, walletId: Uuid): Promise<number> {
  const { rows } = await pool.query<{ startMs: string }>({ name: 'read-first-day', text, values: [walletId] })
  const [row] = rows
  if (row === undefined) throw new Error('rollup_state has lost its row')
  return Number(row.startMs)
}
