import type { Pool, PoolClient } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Expiry, Grant, WalletState } from '#domain/payments/grant.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import { readNano, readNullableNano } from '../column-values.ts'

interface Row {
  id: string
  amount_nano: string
  charged_from_nano: string
  charged_until_nano: string | null
  expires_at: Date
  returned_nano: string
  due_nano: string | null
  is_due: boolean
}

/** Runs in the transaction that credited the wallet, whose lock keeps `charged_nano` unchanged. */
export async function insertGrant(
  client: PoolClient,
  { id, walletId, amount, expiresAtMs }: { id: Uuid; walletId: Uuid; amount: NanoUsd; expiresAtMs: number },
): Promise<void> {
  const text = `INSERT INTO wallet_grants (id, wallet_id, amount_nano, charged_from_nano, expires_at, look_at)
    SELECT $1, w.id, $3, w.charged_nano, to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000)
    FROM wallets w WHERE w.id = $2`
  const { rowCount } = await client.query(text, [id, walletId, amount, expiresAtMs])
  assert(rowCount === 1, 'the wallet of a grant exists')
}

/** All grants that a wallet ever had: the usage of a grant depends on the grants before it. */
export async function listGrants(
  connection: Pool | PoolClient,
  walletId: Uuid,
): Promise<(Grant & { isDue: boolean })[]> {
  const text = `SELECT id, amount_nano, charged_from_nano, charged_until_nano, expires_at, returned_nano, due_nano,
      charged_until_nano IS NULL AND look_at <= clock_timestamp() AS is_due
    FROM wallet_grants WHERE wallet_id = $1`
  const { rows } = await connection.query<Row>(text, [walletId])
  return rows.map((row) => ({
    id: row.id,
    amount: readNano(row.amount_nano),
    chargedFrom: readNano(row.charged_from_nano),
    chargedUntil: readNullableNano(row.charged_until_nano),
    expiresAtMs: row.expires_at.getTime(),
    returned: readNano(row.returned_nano),
    due: readNullableNano(row.due_nano),
    isDue: row.is_due,
  }))
}

/** Wallets with a grant that is due for a check, the longest overdue first. */
export async function findDueWallets(pool: Pool, atMost: number): Promise<Uuid[]> {
  const text = `SELECT wallet_id FROM wallet_grants WHERE charged_until_nano IS NULL AND look_at <= clock_timestamp()
    GROUP BY wallet_id ORDER BY min(look_at) LIMIT $1`
  const { rows } = await pool.query<{ wallet_id: string }>(text, [atMost])
  return rows.map((row) => row.wallet_id)
}

export interface LockedWallet extends WalletState {
  readonly charged: NanoUsd
  /** Null for a person. */
  readonly organizationId: Uuid | null
}

interface WalletRow {
  balance_nano: string
  held_nano: string
  charged_nano: string
  organization_id: string | null
}

/** The same lock as in every money statement. */
export async function lockWallet(client: PoolClient, walletId: Uuid): Promise<LockedWallet | null> {
  const text = `SELECT balance_nano, held_nano, charged_nano, CASE WHEN owner_kind = 'organization' THEN owner_id END AS organization_id
    FROM wallets WHERE id = $1 FOR NO KEY UPDATE`
  const { rows } = await client.query<WalletRow>(text, [walletId])
  const [row] = rows
  if (row === undefined) return null
  return {
    balance: readNano(row.balance_nano),
    held: readNano(row.held_nano),
    charged: readNano(row.charged_nano),
    organizationId: row.organization_id,
  }
}

/** Keeps new holds from using the part of expired grants that running requests hold. Requires the wallet's lock. */
export async function keepExpired(client: PoolClient, walletId: Uuid): Promise<void> {
  const text = `UPDATE wallets w SET expired_nano = d.due
    FROM (SELECT coalesce(sum(g.due_nano), 0)::bigint AS due FROM wallet_grants g
      WHERE g.wallet_id = $1 AND g.charged_until_nano IS NULL) AS d
    WHERE w.id = $1 AND w.expired_nano <> d.due`
  await client.query(text, [walletId])
}

/**
 * Requires the wallet's lock. A grant with nothing left to remove is closed; any other is checked again in a minute.
 */
export async function updateGrant(
  client: PoolClient,
  { id, charged }: { id: Uuid; charged: NanoUsd },
  { back, due }: Expiry,
): Promise<void> {
  const text = `UPDATE wallet_grants SET returned_nano = returned_nano + $2, due_nano = $3,
      charged_until_nano = CASE WHEN $3::bigint = 0 THEN $4::bigint END, look_at = clock_timestamp() + interval '1 minute'
    WHERE id = $1`
  await client.query(text, [id, back, due, charged])
}
