import type { Pool } from 'pg'
import type { Books } from './books.ts'

interface Row {
  wallets: {
    id: string
    balance: string
    held: string
    aside: string
    credited: string
    charged: string
    line: string
    expired: string
  }[]
  holds: {
    id: string
    wallet: string
    key: string
    amount: string
    estimate: string
    until: number
    windows: string[]
  }[]
  windows: { key: string; held: string; spent: string }[]
  generations: { id: string; wallet: string; key: string; cost: string; absorbed: string }[]
  charges: { id: string; wallet: string; amount: string }[]
  paid_in: { key: string; amount: string }[]
  lapsed: string[]
}

// Amounts are strings: a JSON number would lose digits.
const text = `SELECT
  (SELECT coalesce(json_agg(json_build_object('id', id, 'balance', balance_nano::text, 'held', held_nano::text, 'aside', customers_nano::text,
    'credited', credited_nano::text, 'charged', charged_nano::text, 'line', credit_line_nano::text, 'expired', expired_nano::text)), '[]') FROM wallets) AS wallets,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'wallet', wallet_id, 'key', key_id, 'amount', amount_nano::text,
    'estimate', estimate_nano::text, 'until', round(extract(epoch FROM lease_until) * 1000), 'windows',
    (SELECT coalesce(json_agg(concat_ws(' ', k, o, s)), '[]') FROM unnest(window_kinds, window_owners, window_starts) AS x (k, o, s))
    )), '[]') FROM holds) AS holds,
  (SELECT coalesce(json_agg(json_build_object('key', concat_ws(' ', kind, owner_id, starts_at), 'held', held_nano::text,
    'spent', spent_nano::text)), '[]') FROM spend_windows) AS windows,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'wallet', wallet_id, 'key', key_id, 'cost', cost_nano::text,
    'absorbed', absorbed_nano::text)), '[]') FROM generations) AS generations,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'wallet', wallet_id, 'amount', amount_nano::text)), '[]')
    FROM ledger_transfers WHERE kind = 'charge') AS charges,
  (SELECT coalesce(json_agg(json_build_object('key', 'customer_balance ' || customer || ' 0', 'amount', amount::text)), '[]') FROM (
    SELECT end_customer_id AS customer, sum(CASE credit WHEN 'customers' THEN amount_nano ELSE -amount_nano END) AS amount
    FROM ledger_transfers WHERE kind = 'customer_transfer' GROUP BY 1) AS moved) AS paid_in,
  (SELECT coalesce(json_agg(id), '[]') FROM lapsed_holds) AS lapsed`

export async function readBooks(pool: Pool): Promise<Books> {
  const { rows } = await pool.query<Row>({ name: 'read-books', text })
  const [row] = rows
  if (row === undefined) throw new Error('the books are empty')
  return {
    wallets: new Map(
      row.wallets.map(({ id, line, expired, ...wallet }) => [
        id,
        {
          balance: BigInt(wallet.balance),
          held: BigInt(wallet.held),
          aside: BigInt(wallet.aside),
          credited: BigInt(wallet.credited),
          charged: BigInt(wallet.charged),
          creditLine: BigInt(line),
          expired: BigInt(expired),
        },
      ]),
    ),
    holds: new Map(
      row.holds.map(({ id, wallet, key, amount, estimate, until, windows }) => [
        id,
        {
          walletId: wallet,
          keyId: key,
          amount: BigInt(amount),
          estimate: BigInt(estimate),
          leaseUntilMs: until,
          windows,
        },
      ]),
    ),
    windows: new Map(row.windows.map(({ key, held, spent }) => [key, { held: BigInt(held), spent: BigInt(spent) }])),
    generations: new Map(
      row.generations.map(({ id, wallet, key, cost, absorbed }) => [
        id,
        { walletId: wallet, keyId: key, cost: BigInt(cost), absorbed: BigInt(absorbed) },
      ]),
    ),
    charges: row.charges.map(({ id, wallet, amount }) => ({ id, walletId: wallet, amount: BigInt(amount) })),
    paidIn: new Map(row.paid_in.map(({ key, amount }) => [key, BigInt(amount)])),
    lapsed: new Set(row.lapsed),
  }
}
