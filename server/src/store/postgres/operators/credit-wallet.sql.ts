import type { Pool, PoolClient } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { WalletCredit } from '#ports/wallets.ts'
import { readNano } from '../nano-column.ts'

// The wallet's row is locked first, as in every money statement, and a missing one leaves no transfers behind.
const text = `WITH legs AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY AS u (kind, debit, credit, amount, leg)
  ), credited AS (
    UPDATE wallets SET balance_nano = balance_nano + gained.amount, credited_nano = credited_nano + gained.amount
    FROM (SELECT coalesce(sum(legs.amount), 0)::bigint AS amount FROM legs WHERE legs.credit = 'wallet') AS gained
    WHERE wallets.id = $2
    RETURNING wallets.id, wallets.balance_nano
  ), moved AS (
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, note)
    SELECT $1, legs.leg - 1, credited.id, legs.kind, legs.debit, legs.credit, legs.amount, $7 FROM legs, credited
  )
  SELECT balance_nano FROM credited`

/** The transfers and the balance together; null when there is no such wallet. */
export async function creditWallet(connection: Pool | PoolClient, credit: WalletCredit): Promise<NanoUsd | null> {
  const { transfers } = credit
  const { rows } = await connection.query<{ balance_nano: string }>(text, [
    credit.id,
    credit.walletId,
    transfers.map(({ kind }) => kind),
    transfers.map(({ debit }) => debit),
    transfers.map((transfer) => transfer.credit),
    transfers.map(({ amount }) => amount),
    credit.note,
  ])
  const [row] = rows
  return row === undefined ? null : readNano(row.balance_nano)
}
