import type { Pool, PoolClient } from 'pg'
import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { pauseAfter, type WalletStanding } from '#domain/payments/auto-top-up.ts'
import type { ChargeFailure } from '#domain/payments/payment-reading.ts'
import type { PaymentSource, TopUp, TopUpState } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { startOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AutoTopUp, ChosenAutoTopUp } from '#ports/auto-top-up.ts'
import type { CustomerOf } from '#ports/saved-methods.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { readNano } from '../column-values.ts'
import { queueNotice } from '../mail/queue-notice.ts'

interface Row {
  wallet_id: string
  is_on: boolean
  payer_id: string
  provider: PaymentSource
  is_live: boolean
  customer_ref: string
  method_ref: string
  threshold_nano: string
  target_nano: string
  day_max_nano: string
  month_max_nano: string
  failures: number
  last_failure: ChargeFailure | null
  look_at: Date
}

const columns = `wallet_id, is_on, payer_id, provider, is_live, customer_ref, method_ref, threshold_nano, target_nano, day_max_nano,
  month_max_nano, failures, last_failure, look_at`

export async function findAutoTopUp(connection: Pool | PoolClient, walletId: Uuid): Promise<AutoTopUp | null> {
  return findOne(connection, `SELECT ${columns} FROM auto_top_ups WHERE wallet_id = $1`, walletId)
}

export async function lockAutoTopUp(client: PoolClient, walletId: Uuid): Promise<AutoTopUp | null> {
  return findOne(client, `SELECT ${columns} FROM auto_top_ups WHERE wallet_id = $1 FOR UPDATE`, walletId)
}

async function findOne(connection: Pool | PoolClient, text: string, walletId: Uuid): Promise<AutoTopUp | null> {
  const { rows } = await connection.query<Row>(text, [walletId])
  const [row] = rows
  if (row === undefined) return null
  return {
    walletId: row.wallet_id,
    isOn: row.is_on,
    payerId: row.payer_id,
    provider: row.provider,
    isLive: row.is_live,
    customerRef: row.customer_ref,
    methodRef: row.method_ref,
    threshold: readNano(row.threshold_nano),
    target: readNano(row.target_nano),
    dayMax: readNano(row.day_max_nano),
    monthMax: readNano(row.month_max_nano),
    failures: row.failures,
    lastFailure: row.last_failure,
    lookAtMs: row.look_at.getTime(),
  }
}

export async function upsertAutoTopUp(client: PoolClient, chosen: ChosenAutoTopUp): Promise<void> {
  const text = `INSERT INTO auto_top_ups (wallet_id, is_on, payer_id, provider, is_live, customer_ref, method_ref, threshold_nano,
      target_nano, day_max_nano, month_max_nano)
    VALUES ($1, true, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (wallet_id) DO UPDATE SET is_on = true, payer_id = $2, provider = $3, is_live = $4, customer_ref = $5, method_ref = $6,
      threshold_nano = $7, target_nano = $8, day_max_nano = $9, month_max_nano = $10, failures = 0, last_failure = NULL,
      look_at = clock_timestamp(), updated_at = now()`
  await client.query(text, [
    chosen.walletId,
    chosen.payerId,
    chosen.provider,
    chosen.isLive,
    chosen.customerRef,
    chosen.methodRef,
    chosen.threshold,
    chosen.target,
    chosen.dayMax,
    chosen.monthMax,
  ])
}

/** Returns whether automatic top-up was on. */
export async function switchOff(client: PoolClient, walletId: Uuid, methodRef: string | null): Promise<boolean> {
  const text = `UPDATE auto_top_ups SET is_on = false, updated_at = now()
    WHERE wallet_id = $1 AND is_on AND ($2::text IS NULL OR method_ref = $2)`
  return (await client.query(text, [walletId, methodRef])).rowCount === 1
}

/**
 * Claims wallets below their threshold until the lease ends. Only enabled rows are read, each with its wallet. Wallets
 * of suspended people and organizations are skipped.
 */
export async function claimLow(
  pool: Pool,
  { provider, isLive }: Omit<CustomerOf, 'walletId'>,
  { atMost, leaseMs }: { atMost: number; leaseMs: number },
): Promise<Uuid[]> {
  const text = `UPDATE auto_top_ups SET look_at = clock_timestamp() + $4::bigint * interval '1 millisecond'
    WHERE wallet_id IN (SELECT a.wallet_id FROM auto_top_ups a JOIN wallets w ON w.id = a.wallet_id
        LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
        LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
      WHERE a.is_on AND a.look_at <= clock_timestamp() AND a.provider = $1 AND a.is_live = $2
        AND w.balance_nano + w.credit_line_nano - w.held_nano < a.threshold_nano
        AND u.suspended_at IS NULL AND o.suspended_at IS NULL
      ORDER BY a.look_at LIMIT $3 FOR UPDATE OF a SKIP LOCKED)
    RETURNING wallet_id`
  const { rows } = await pool.query<{ wallet_id: string }>(text, [provider, isLive, atMost, leaseMs])
  return rows.map(({ wallet_id }) => wallet_id)
}

interface StandingRow {
  balance_nano: string
  credit_line_nano: string
  held_nano: string
  under_way: string
  today: string
  this_month: string
  has_open_attempt: boolean
  is_disputed: boolean
}

// A payer who opened the payment page longer ago has most likely left it.
const atThePage = `interval '10 minutes'`

/**
 * One statement, so that an attempt is seen either as open or with its credit, and never as neither. A failed attempt
 * has bought nothing.
 */
export async function readStanding(
  connection: Pool | PoolClient,
  walletId: Uuid,
  nowMs: number,
): Promise<WalletStanding> {
  const bought = `t.method_ref IS NOT NULL AND t.state <> 'expired' AND t.created_at >=`
  const text = `SELECT w.balance_nano, w.credit_line_nano, w.held_nano,
      coalesce(sum(t.credit_nano) FILTER (WHERE t.state = 'open'
        AND (t.method_ref IS NOT NULL OR t.is_pending OR t.created_at > now() - ${atThePage})), 0)::text AS under_way,
      coalesce(sum(t.credit_nano) FILTER (WHERE ${bought} to_timestamp($2::float8 / 1000)), 0)::text AS today,
      coalesce(sum(t.credit_nano) FILTER (WHERE ${bought} to_timestamp($3::float8 / 1000)), 0)::text AS this_month,
      coalesce(bool_or(t.state = 'open' AND t.method_ref IS NOT NULL), false) AS has_open_attempt,
      coalesce(bool_or(t.disputed_nano <> 0), false) AS is_disputed
    FROM wallets w LEFT JOIN top_ups t ON t.wallet_id = w.id WHERE w.id = $1 GROUP BY w.id`
  const values = [walletId, startOf('day', nowMs), startOf('month', nowMs)]
  const { rows } = await connection.query<StandingRow>(text, values)
  const [row] = rows
  assert(row !== undefined, 'a wallet is never deleted')
  return {
    balance: readNano(row.balance_nano),
    creditLine: readNano(row.credit_line_nano),
    held: readNano(row.held_nano),
    underWay: readNano(row.under_way),
    boughtToday: readNano(row.today),
    boughtThisMonth: readNano(row.this_month),
    hasOpenAttempt: row.has_open_attempt,
    isDisputed: row.is_disputed,
  }
}

interface EndedAttempt {
  /** The order before the change. */
  readonly order: TopUp
  readonly state: TopUpState
  readonly failure: ChargeFailure | null
  /** The page that emails link to. */
  readonly creditsUrl: string
  readonly nowMs: number
}

/**
 * Runs in the transaction that ends an attempt. Credit clears the failures. After a failure no card is charged for a
 * while. After the last failure, or if money arrived that cannot be credited, automatic top-up is turned off and people
 * are told by email.
 */
export async function endAttempt(client: PoolClient, ended: EndedAttempt): Promise<void> {
  const { order, state, failure, creditsUrl, nowMs } = ended
  const { methodRef, walletId } = order
  if (methodRef === null || order.state !== 'open' || state === 'open') return
  const chosen = await lockAutoTopUp(client, walletId)
  // Another card was chosen meanwhile, or none: the result of this card says nothing about the current choice.
  if (chosen === null || !chosen.isOn || chosen.methodRef !== methodRef) return
  if (state !== 'expired' && state !== 'mismatch') {
    await client.query(
      'UPDATE auto_top_ups SET failures = 0, last_failure = NULL, look_at = clock_timestamp() WHERE wallet_id = $1',
      [walletId],
    )
    return
  }
  const failures = chosen.failures + 1
  const pauseMs = state === 'mismatch' ? null : pauseAfter(failures)
  const text = `UPDATE auto_top_ups SET failures = $2, last_failure = $3, is_on = $4::bigint IS NOT NULL,
    look_at = coalesce(clock_timestamp() + $4::bigint * interval '1 millisecond', look_at), updated_at = now() WHERE wallet_id = $1`
  const why = failure ?? 'declined'
  await client.query(text, [walletId, failures, why, pauseMs])
  const credit = formatUsd(order.quoted.credit)
  if (pauseMs === null) {
    await queueNotice(client, walletId, { notice: { kind: 'auto_top_up_off', credit }, creditsUrl, nowMs })
    const entry = { actor: systemActor, requestId: null, action: 'auto_top_up.off' } as const
    const target = { kind: 'wallet', id: walletId }
    const details = { topUpId: order.id, failures, why }
    await appendAudit(client, [{ ...entry, chainId: await findChain(client, walletId), target, details }], nowMs)
  } else if (why === 'authentication_required') {
    await queueNotice(client, walletId, { notice: { kind: 'auto_top_up_confirm', credit }, creditsUrl, nowMs })
  }
}

/** An organization's administrators see in their audit log what happened to its wallet. */
async function findChain(client: PoolClient, walletId: Uuid): Promise<Uuid> {
  const text = `SELECT owner_id FROM wallets WHERE id = $1 AND owner_kind = 'organization'`
  const { rows } = await client.query<{ owner_id: string }>(text, [walletId])
  return rows[0]?.owner_id ?? platformChain
}
