import type { PoolClient } from 'pg'
import type { TransferKind } from '#domain/ledger/transfer.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type DayRange, dateOf } from '#lib/utc-calendar.ts'
import { firstUuidAt, type Uuid } from '#lib/uuid.ts'
import type { KindSum, WalletTotals } from '#ports/ledger.ts'
import { readNano } from '../column-values.ts'

/** The amount by which a transfer changes the balance. Customers' balances are a part of it. */
const change = `sum(CASE WHEN credit IN ('wallet', 'customers') THEN amount_nano ELSE 0 END
    - CASE WHEN debit IN ('wallet', 'customers') THEN amount_nano ELSE 0 END)`

interface WalletRow {
  owner_kind: 'user' | 'organization'
  owner_id: string
  balance_nano: string
  held_nano: string
  customers_nano: string
  credited_nano: string
  charged_nano: string
  credit_line_nano: string
  paid: string
  granted: string
  redeemed: string
  expired: string
  corrected: string
  refunded: string
  disputed: string
  written_off: string
  has_notices: boolean
}

export async function readWalletTotals(client: PoolClient, walletId: Uuid): Promise<Omit<WalletTotals, 'expiring'>> {
  const text = `SELECT w.owner_kind, w.owner_id, w.balance_nano, w.held_nano, w.customers_nano, w.credited_nano, w.charged_nano, w.credit_line_nano,
      EXISTS (SELECT FROM announced_customers a WHERE a.wallet_id = w.id) AS has_notices, t.*
    FROM wallets w CROSS JOIN LATERAL (
      SELECT coalesce(${change} FILTER (WHERE kind = 'top_up'), 0) AS paid,
        coalesce(${change} FILTER (WHERE kind = 'grant'), 0) AS granted,
        coalesce(${change} FILTER (WHERE kind = 'redemption'), 0) AS redeemed,
        coalesce(${change} FILTER (WHERE kind = 'grant_expired'), 0) AS expired,
        coalesce(${change} FILTER (WHERE kind = 'correction'), 0) AS corrected,
        coalesce(${change} FILTER (WHERE kind = 'refund'), 0) AS refunded,
        coalesce(${change} FILTER (WHERE kind IN ('dispute', 'dispute_won')), 0) AS disputed,
        coalesce(${change} FILTER (WHERE kind = 'write_off'), 0) AS written_off
      FROM ledger_transfers WHERE wallet_id = w.id AND kind <> 'charge') AS t
    WHERE w.id = $1`
  const { rows } = await client.query<WalletRow>(text, [walletId])
  const [row] = rows
  if (row === undefined) throw new Error(`the wallet ${walletId} was just opened but does not exist`)
  return {
    id: walletId,
    ownerKind: row.owner_kind,
    ownerId: row.owner_id,
    balance: readNano(row.balance_nano),
    held: readNano(row.held_nano),
    inCustomerBalances: readNano(row.customers_nano),
    credited: readNano(row.credited_nano),
    charged: readNano(row.charged_nano),
    creditLine: readNano(row.credit_line_nano),
    paid: readNano(row.paid),
    granted: readNano(row.granted),
    redeemed: readNano(row.redeemed),
    expired: readNano(row.expired),
    corrected: readNano(row.corrected),
    refunded: readNano(row.refunded),
    disputed: readNano(row.disputed),
    writtenOff: readNano(row.written_off),
    hasNotices: row.has_notices,
  }
}

/** The sums of one kind of transfer, within a range and since the beginning of the range. */
interface KindSums {
  readonly within: KindSum
  readonly since: KindSum
}

interface CreditRow {
  kind: TransferKind
  change: string
  moved: string
  change_within: string | null
  moved_within: string | null
}

/** Everything except charges. */
export async function sumCredits(
  client: PoolClient,
  walletId: Uuid,
  { startMs, endMs }: DayRange,
): Promise<Map<TransferKind, KindSums>> {
  const text = `SELECT kind, ${change} AS change, sum(amount_nano) AS moved,
      ${change} FILTER (WHERE id < $3) AS change_within, sum(amount_nano) FILTER (WHERE id < $3) AS moved_within
    FROM ledger_transfers WHERE wallet_id = $1 AND id >= $2 AND kind <> 'charge' GROUP BY kind`
  const { rows } = await client.query<CreditRow>(text, [walletId, firstUuidAt(startMs), firstUuidAt(endMs)])
  return new Map(
    rows.map((row) => [
      row.kind,
      {
        within: { change: readNano(row.change_within ?? '0'), moved: readNano(row.moved_within ?? '0') },
        since: { change: readNano(row.change), moved: readNano(row.moved) },
      },
    ]),
  )
}

/**
 * Charges, from the daily rollups and the few requests that are not in them yet: as exact as the charges themselves,
 * and a month of a million requests is read in a few hundred rows. Transfers and rollups have the same timestamp: the
 * start of the request.
 */
export async function sumCharges(client: PoolClient, walletId: Uuid, range: DayRange): Promise<KindSums> {
  const { rows: states } = await client.query<{ rolled_up_below: string }>('SELECT rolled_up_below FROM rollup_state')
  const { text, values } = chargeStatement({ walletId, range, rolledUpBelow: states[0]?.rolled_up_below ?? '0' })
  const { rows } = await client.query<{ since: string | null; within: string | null }>(text, [...values])
  return { since: chargeLine(rows[0]?.since), within: chargeLine(rows[0]?.within) }
}

function chargeLine(sum: string | null | undefined): KindSum {
  const moved = sum == null ? zeroUsd : readNano(sum)
  return { change: nanoUsd(-moved), moved }
}

export function chargeStatement({
  walletId,
  range,
  rolledUpBelow,
}: {
  walletId: Uuid
  range: DayRange
  rolledUpBelow: string
}): { text: string; values: readonly unknown[] } {
  // The fence keeps Postgres from reading all requests of the wallet in order to use its index.
  const text = `SELECT sum(spent) AS since, sum(spent) FILTER (WHERE day < $3::date) AS within FROM (
      SELECT day, spent_nano AS spent FROM usage_account_days WHERE wallet_id = $1 AND day >= $2::date
      UNION ALL SELECT (started_at AT TIME ZONE 'UTC')::date, cost_nano FROM (
        SELECT wallet_id, started_at, cost_nano FROM generations WHERE settled_position >= $4 AND id >= $5 OFFSET 0) AS pending
      WHERE wallet_id = $1) AS charged`
  const { startMs, endMs } = range
  return { text, values: [walletId, dateOf(startMs), dateOf(endMs), rolledUpBelow, firstUuidAt(startMs)] }
}
