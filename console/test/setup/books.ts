import type { Pool } from 'pg'
import type { TestClient } from '../../../server/test/setup/accounts.ts'

/** The ledger of a wallet, read by SQL, in nano-USD. */
export interface Books {
  /** The sum of one kind between two moments, negative for charges. */
  sum(kind: string, fromMs?: number, toMs?: number): Promise<bigint>
  /** The charge of each request by its public id. Free requests are absent. */
  charges(): Promise<ReadonlyMap<string, bigint>>
  /** The balance after each charge, by the public id of its request. */
  balances(): Promise<ReadonlyMap<string, bigint>>
  /** The charge of each model between two moments, highest first. */
  byModel(fromMs: number, toMs: number): Promise<readonly (readonly [string, bigint])[]>
  cacheSavings(fromMs: number): Promise<bigint>
  held(): Promise<bigint>
}

const publicId = `'gen-' || replace(t.id::text, '-', '')`
// A charge counts at the start time of its request, which the request id contains.
const at = `coalesce(g.started_at, t.created_at)`
const rows = `ledger_transfers t LEFT JOIN generations g ON g.id = t.id AND t.kind = 'charge' WHERE t.wallet_id = $1`
const change = `sum(CASE WHEN t.credit = 'wallet' THEN t.amount_nano WHEN t.debit = 'wallet' THEN -t.amount_nano ELSE 0 END)`

export function openBooks(pool: Pool, { walletId }: TestClient): Books {
  const read = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query<Row>(text, [walletId, ...values])).rows
  const byId = async (column: string): Promise<ReadonlyMap<string, bigint>> => {
    const found = await read<{ id: string; nano: string }>(
      `SELECT ${publicId} AS id, ${column} AS nano FROM ${rows} AND t.kind = 'charge'`,
    )
    return new Map(found.map(({ id, nano }) => [id, BigInt(nano)]))
  }
  return {
    sum: async (kind, fromMs = 0, toMs = 8.64e15) => {
      const text = `SELECT coalesce(${change}, 0) AS nano FROM ${rows} AND t.kind = $2 AND ${at} >= to_timestamp($3 / 1000.0) AND ${at} < to_timestamp($4 / 1000.0)`
      return BigInt((await read<{ nano: string }>(text, [kind, fromMs, Math.min(toMs, 4e12)]))[0]?.nano ?? 0)
    },
    charges: () => byId('t.amount_nano'),
    balances: () => byId('t.balance_after_nano'),
    byModel: async (fromMs, toMs) => {
      const text = `SELECT g.model, sum(t.amount_nano) AS nano FROM ${rows} AND t.kind = 'charge' AND g.started_at >= to_timestamp($2 / 1000.0)
        AND g.started_at < to_timestamp($3 / 1000.0) GROUP BY g.model ORDER BY 2 DESC`
      const found = await read<{ model: string; nano: string }>(text, [fromMs, toMs])
      return found.map(({ model, nano }) => [model, BigInt(nano)] as const)
    },
    cacheSavings: async (fromMs) => {
      const text = `SELECT coalesce(sum(cache_discount_nano), 0) AS nano FROM generations WHERE wallet_id = $1 AND started_at >= to_timestamp($2 / 1000.0)`
      return BigInt((await read<{ nano: string }>(text, [fromMs]))[0]?.nano ?? 0)
    },
    held: async () => {
      const text = 'SELECT coalesce(sum(amount_nano), 0) AS nano FROM holds WHERE wallet_id = $1'
      return BigInt((await read<{ nano: string }>(text))[0]?.nano ?? 0)
    },
  }
}
