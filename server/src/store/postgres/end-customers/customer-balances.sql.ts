import type { Pool, PoolClient } from 'pg'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { BookedCustomerTransfer } from '#ports/end-customers.ts'
import { readNano, readNullableNano } from '../column-values.ts'

interface Move {
  /** Id of the ledger transaction. */
  readonly id: Uuid
  readonly walletId: Uuid
  readonly customerId: Uuid
  /** A negative amount goes back to the wallet. */
  readonly amount: bigint
}

/** The new balance. If the paying side has less than the amount, nothing moves, and `room` is its available amount. */
export async function moveBalance(
  client: PoolClient,
  { id, walletId, customerId, amount }: Move,
): Promise<{ readonly balance: NanoUsd } | { readonly balance: null; readonly room: NanoUsd }> {
  const { rows } = await client.query<{ balance_nano: string | null; room_nano: string }>({
    name: 'move-customer-balance',
    text: 'SELECT balance_nano, room_nano FROM move_customer_balance($1, $2, $3, $4)',
    values: [id, walletId, customerId, String(amount)],
  })
  const [row] = rows
  assert(row !== undefined, 'a function returns a row')
  const balance = readNullableNano(row.balance_nano)
  if (balance !== null) return { balance }
  const room = readNano(row.room_nano)
  return { balance, room: room > 0n ? room : zeroUsd }
}

/**
 * Whether a customer has a balance, or running requests hold part of it. Locks the balance until the transaction ends.
 */
export async function hasBalance(client: PoolClient, customerId: Uuid): Promise<boolean> {
  const { rows } = await client.query<{ has_balance: boolean }>(
    `SELECT spent_nano <> 0 OR held_nano <> 0 AS has_balance FROM spend_windows
     WHERE kind = 'customer_balance' AND owner_id = $1 AND starts_at = 0 FOR UPDATE`,
    [customerId],
  )
  return rows[0]?.has_balance ?? false
}

/** Returns the balances of a person's customers to the wallet, except what running requests hold. */
export async function returnBalances(client: PoolClient, userId: Uuid, nowMs: number): Promise<void> {
  const { rows } = await client.query<{ wallet_id: string; customer_id: string; free: string }>(
    `WITH wallet AS MATERIALIZED (
       SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1 FOR NO KEY UPDATE)
     SELECT c.wallet_id, c.id AS customer_id, -s.spent_nano - s.held_nano AS free
     FROM wallet w JOIN end_customers c ON c.wallet_id = w.id
     JOIN spend_windows s ON s.kind = 'customer_balance' AND s.owner_id = c.id AND s.starts_at = 0
     WHERE s.spent_nano + s.held_nano < 0`,
    [userId],
  )
  await client.query(
    `SELECT move_customer_balance(u.id, u.wallet, u.customer, -u.free)
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[]) AS u (id, wallet, customer, free)`,
    [
      rows.map(() => newUuid(nowMs)),
      rows.map((row) => row.wallet_id),
      rows.map((row) => row.customer_id),
      rows.map((row) => row.free),
    ],
  )
}

interface TransferRow {
  id: string
  credit: 'customers' | 'wallet'
  amount_nano: string
  created_at: Date
}

/** The newest first. Not a named statement: partitions are pruned only if the values are known when it is planned. */
export async function listCustomerTransfers(
  pool: Pool,
  customerId: Uuid,
  { before, limit }: { readonly before: Uuid | null; readonly limit: number },
): Promise<{ readonly entries: readonly BookedCustomerTransfer[]; readonly next: Uuid | null }> {
  const text = `SELECT id, credit, amount_nano, created_at FROM ledger_transfers
    WHERE end_customer_id = $1 AND kind = 'customer_transfer' AND ($2::uuid IS NULL OR id < $2)
    ORDER BY id DESC LIMIT $3`
  // One more than is shown tells whether there is a next page.
  const { rows } = await pool.query<TransferRow>(text, [customerId, before, limit + 1])
  const shown = rows.slice(0, limit)
  return {
    entries: shown.map((row) => ({
      id: row.id,
      to: row.credit === 'customers' ? 'customer' : 'wallet',
      amount: readNano(row.amount_nano),
      bookedAtMs: row.created_at.getTime(),
    })),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}
