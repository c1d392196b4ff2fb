import type { Pool, PoolClient } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Wallet, WalletCredit } from '#ports/ledger.ts'
import { readNano } from '../column-values.ts'

interface Row {
  id: string
  owner_kind: 'user' | 'organization'
  owner_id: string
  balance_nano: string
  held_nano: string
  credited_nano: string
  charged_nano: string
}

/** Finds a wallet by its id, its owner's id, a user's email address or an organization's slug. */
export async function findWallet(pool: Pool | PoolClient, reference: string): Promise<Wallet | null> {
  const text = `SELECT id, owner_kind, owner_id, balance_nano, held_nano, credited_nano, charged_nano FROM wallets
    WHERE id = $1
      OR (owner_kind = 'user' AND owner_id = $1)
      OR (owner_kind = 'organization' AND owner_id = $1)
      OR (owner_kind = 'user' AND owner_id = (SELECT u.id FROM users u WHERE lower(u.email) = lower($2)))
      OR (owner_kind = 'organization' AND owner_id = (SELECT o.id FROM organizations o WHERE o.slug = $2))
    LIMIT 1`
  const { rows } = await pool.query<Row>(text, [isUuid(reference) ? reference : null, reference])
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    ownerKind: row.owner_kind,
    ownerId: row.owner_id,
    balance: readNano(row.balance_nano),
    held: readNano(row.held_nano),
    credited: readNano(row.credited_nano),
    charged: readNano(row.charged_nano),
  }
}

/** The amount by which a transfer changes the wallet. */
const change = `CASE 'wallet' WHEN legs.credit THEN legs.amount WHEN legs.debit THEN -legs.amount ELSE 0 END`

/**
 * Writes the transfers and the balance together. A refund may take the balance below zero. Returns null if there is no
 * such wallet.
 */
export async function creditWallet(connection: Pool | PoolClient, credit: WalletCredit): Promise<NanoUsd | null> {
  // Locks the wallet's row first, as every money statement does. A missing wallet leaves no transfers behind.
  const text = `WITH legs AS (
      SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY AS u (kind, debit, credit, amount, leg)
    ), credited AS (
      UPDATE wallets SET balance_nano = balance_nano + gained.amount, credited_nano = credited_nano + gained.amount
      FROM (SELECT coalesce(sum(${change}), 0)::bigint AS amount FROM legs) AS gained
      WHERE wallets.id = $2 AND ($8::boolean IS NOT TRUE OR wallets.balance_nano + gained.amount <= 0)
      RETURNING wallets.id, wallets.balance_nano
    ), moved AS (
      INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, note, balance_after_nano)
      SELECT $1, legs.leg - 1, credited.id, legs.kind, legs.debit, legs.credit, legs.amount, $7,
        (credited.balance_nano - coalesce(sum(${change})
          OVER (ORDER BY legs.leg ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0))::bigint
      FROM legs, credited
    )
    SELECT balance_nano FROM credited`
  const { transfers } = credit
  const { rows } = await connection.query<{ balance_nano: string }>(text, [
    credit.id,
    credit.walletId,
    transfers.map(({ kind }) => kind),
    transfers.map(({ debit }) => debit),
    transfers.map((transfer) => transfer.credit),
    transfers.map(({ amount }) => amount),
    credit.note,
    credit.isDebtOnly ?? false,
  ])
  const [row] = rows
  return row === undefined ? null : readNano(row.balance_nano)
}
