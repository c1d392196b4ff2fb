import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { WalletMarks } from '#ports/wallet-marks.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

interface MarkRow {
  id: Uuid
  balance: string
  held: string
  credit_line: string
  charged: string
  refused: number
}

/** For the live events of wallets. Both tables are read by their primary keys. */
const readMarks = `SELECT w.id, w.balance_nano AS balance, w.held_nano AS held, w.credit_line_nano AS credit_line,
    w.charged_nano AS charged, coalesce(r.refused, 0)::float8 AS refused
  FROM wallets w
  LEFT JOIN LATERAL (
    SELECT sum(c.count) AS refused FROM refusal_counts c
    WHERE c.wallet_id = w.id AND c.hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
  ) r ON true
  WHERE w.id = ANY($1::uuid[])`

export function createWalletMarks(pool: Pool): WalletMarks {
  return {
    read: async (walletIds) => {
      const asked = { name: 'read-wallet-marks', text: readMarks, values: [walletIds] }
      const { rows } = await refuseWhenAway(pool.query<MarkRow>(asked))
      return new Map(
        rows.map(({ id, balance, held, credit_line: creditLine, charged, refused }) => [
          id,
          {
            balance: readNano(balance),
            held: readNano(held),
            creditLine: readNano(creditLine),
            charged: readNano(charged),
            refused,
          },
        ]),
      )
    },
  }
}
