import type { Pool, PoolClient } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { isCurrency, type Minor, minor } from '#domain/payments/currency.ts'
import { parseRate } from '#domain/payments/exchange-rate.ts'
import type { PaymentVerdict } from '#domain/payments/judge-payment.ts'
import type { NextCheck } from '#domain/payments/next-check.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUpChannel } from '#domain/payments/quote-top-up.ts'
import type { Mismatch, PaymentSource, TopUp, TopUpState } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OwnData } from '#ports/own-data.ts'
import type { Checkout, NewTopUp, OrderLimit, PaymentEvent, TopUpQuery } from '#ports/payments.ts'
import { readNano } from '../column-values.ts'

interface Row {
  id: string
  wallet_id: string
  payer_id: string | null
  provider: PaymentSource
  is_live: boolean
  channel: TopUpChannel
  currency: string
  rate: string | null
  credit_nano: string
  fee_nano: string
  tax_nano: string
  credit_minor: string
  fee_minor: string
  tax_minor: string
  total_minor: string
  fee_percent: string | null
  tax_percent: string | null
  state: TopUpState
  mismatch: Mismatch | null
  paid_minor: string
  refunded_minor: string
  returned_minor: string
  withdrawn_minor: string
  reinstated_minor: string
  lost_minor: string
  processed_cents: string
  unprocessed_cents: string
  paid_credit_nano: string
  paid_fee_nano: string
  paid_tax_nano: string
  disputed_nano: string
  effects: number
  checkout_ref: string | null
  payment_ref: string | null
  checkout_url: string | null
  customer_ref: string | null
  method_ref: string | null
  reference: string | null
  invoice_number: string | null
  created_at: Date
  paid_at: Date | null
}

const columns = `id, wallet_id, payer_id, provider, is_live, channel, currency, trim_scale(rate)::text AS rate, credit_nano, fee_nano, tax_nano,
  credit_minor, fee_minor, tax_minor, total_minor, fee_percent, tax_percent, state, mismatch, paid_minor, refunded_minor, returned_minor, withdrawn_minor,
  reinstated_minor, lost_minor, processed_cents, unprocessed_cents, paid_credit_nano, paid_fee_nano, paid_tax_nano, disputed_nano,
  effects, checkout_ref, payment_ref, checkout_url, customer_ref, method_ref, reference, invoice_number, created_at, paid_at`

function topUpOf(row: Row): TopUp {
  const { currency } = row
  assert(isCurrency(currency), 'an order is in a currency of the table')
  return {
    id: row.id,
    walletId: row.wallet_id,
    payerId: row.payer_id,
    provider: row.provider,
    isLive: row.is_live,
    channel: row.channel,
    currency,
    rate: row.rate === null ? null : (parseRate(row.rate) ?? null),
    quoted: usdOf(row.credit_nano, row.fee_nano, row.tax_nano),
    charged: {
      credit: readMinor(row.credit_minor),
      fee: readMinor(row.fee_minor),
      tax: readMinor(row.tax_minor),
      total: readMinor(row.total_minor),
    },
    percents:
      row.fee_percent === null || row.tax_percent === null
        ? null
        : { fee: Number(row.fee_percent), tax: Number(row.tax_percent) },
    state: row.state,
    mismatch: row.mismatch,
    sums: {
      paid: readMinor(row.paid_minor),
      refunded: readMinor(row.refunded_minor),
      returned: readMinor(row.returned_minor),
      withdrawn: readMinor(row.withdrawn_minor),
      reinstated: readMinor(row.reinstated_minor),
      lost: readMinor(row.lost_minor),
      processorFee: readMinor(row.processed_cents),
      processorFeeReturned: readMinor(row.unprocessed_cents),
    },
    booked: usdOf(row.paid_credit_nano, row.paid_fee_nano, row.paid_tax_nano),
    disputed: readNano(row.disputed_nano),
    effects: row.effects,
    checkoutRef: row.checkout_ref,
    paymentRef: row.payment_ref,
    checkoutUrl: row.checkout_url,
    customerRef: row.customer_ref,
    methodRef: row.method_ref,
    reference: row.reference,
    invoiceNumber: row.invoice_number,
    createdAtMs: row.created_at.getTime(),
    paidAtMs: row.paid_at?.getTime() ?? null,
  }
}

function usdOf(credit: string, fee: string, tax: string): { credit: NanoUsd; fee: NanoUsd; tax: NanoUsd } {
  return { credit: readNano(credit), fee: readNano(fee), tax: readNano(tax) }
}

function readMinor(column: string): Minor {
  return minor(BigInt(column))
}

async function findOne(connection: Pool | PoolClient, text: string, values: readonly unknown[]): Promise<TopUp | null> {
  const { rows } = await connection.query<Row>(text, [...values])
  const [row] = rows
  return row === undefined ? null : topUpOf(row)
}

/**
 * Returns null if the reference is taken or another order of the invoice is open. The first check is after a minute,
 * because a webhook usually arrives earlier.
 */
export function insertTopUp(client: PoolClient, order: NewTopUp, checkInMs: number | null): Promise<TopUp | null> {
  const text = `INSERT INTO top_ups (id, wallet_id, payer_id, provider, is_live, channel, currency, rate, credit_nano, fee_nano, tax_nano,
      credit_minor, fee_minor, tax_minor, total_minor, reference, next_check_at, fee_percent, tax_percent, customer_ref, method_ref,
      invoice_number)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8::numeric / 100000000, $9, $10, $11, $12, $13, $14, $15, $16,
      clock_timestamp() + $17::bigint * interval '1 millisecond', $18, $19, $20, $21, $22)
    ON CONFLICT DO NOTHING RETURNING ${columns}`
  const { quoted, charged } = order
  return findOne(client, text, [
    order.id,
    order.walletId,
    order.payerId,
    order.provider,
    order.isLive,
    order.channel,
    order.currency,
    order.rate,
    quoted.credit,
    quoted.fee,
    quoted.tax,
    charged.credit,
    charged.fee,
    charged.tax,
    charged.total,
    order.reference,
    checkInMs,
    order.percents?.fee ?? null,
    order.percents?.tax ?? null,
    order.customerRef ?? null,
    order.methodRef ?? null,
    order.invoiceNumber ?? null,
  ])
}

export function findTopUp(pool: Pool | PoolClient, id: Uuid): Promise<TopUp | null> {
  return findOne(pool, `SELECT ${columns} FROM top_ups WHERE id = $1`, [id])
}

export function findByReference(client: PoolClient, { provider, reference }: NewTopUp): Promise<TopUp | null> {
  return findOne(client, `SELECT ${columns} FROM top_ups WHERE provider = $1 AND reference = $2`, [provider, reference])
}

/** The order of an invoice that waits for payment at a provider. */
export function findOpenOfInvoice(client: PoolClient, number: string | undefined): Promise<TopUp | null> {
  const text = `SELECT ${columns} FROM top_ups WHERE invoice_number = $1 AND state = 'open' AND provider <> 'bank'`
  return findOne(client, text, [number ?? null])
}

export function lockTopUp(client: PoolClient, id: Uuid): Promise<TopUp | null> {
  return findOne(client, `SELECT ${columns} FROM top_ups WHERE id = $1 FOR UPDATE`, [id])
}

export function findTopUpFor(
  pool: Pool,
  provider: PaymentSource,
  { topUpId, checkoutRef, paymentRef }: Pick<PaymentEvent, 'topUpId' | 'checkoutRef' | 'paymentRef'>,
): Promise<TopUp | null> {
  const text = `SELECT ${columns} FROM top_ups
    WHERE provider = $1 AND (id = $2 OR checkout_ref = $3 OR payment_ref = $4) ORDER BY (id = $2) IS TRUE DESC LIMIT 1`
  return findOne(pool, text, [provider, topUpId, checkoutRef, paymentRef])
}

/** Not a named statement: the filters decide which index serves it. */
export async function listTopUps(pool: Pool, query: TopUpQuery): Promise<TopUp[]> {
  const { walletId, state, mismatched, transfers, before, limit } = query
  const text = `SELECT ${columns} FROM top_ups
    WHERE ($1::uuid IS NULL OR wallet_id = $1) AND ($2::text IS NULL OR state = $2) AND ($3::uuid IS NULL OR id < $3)
      ${mismatched ? 'AND mismatch IS NOT NULL' : ''}
      ${transfers ? "AND provider = 'bank' AND reference IS NOT NULL" : ''} ORDER BY id DESC LIMIT $4`
  const { rows } = await pool.query<Row>(text, [walletId, state, before, limit])
  return rows.map(topUpOf)
}

/** Orders of a person's own wallet and the person's orders for other wallets, the oldest first. */
export async function listOwnTopUps(
  pool: Pool,
  { userId, walletId, after, limit }: Parameters<OwnData['listOrders']>[0],
): Promise<TopUp[]> {
  const text = `SELECT ${columns} FROM top_ups
    WHERE (wallet_id = $1 OR payer_id = $2) AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`
  const { rows } = await pool.query<Row>(text, [walletId, userId, after, limit])
  return rows.map(topUpOf)
}

/** A page that is already stored stays, because an order has one page. */
export async function noteCheckout(pool: Pool, id: Uuid, { checkoutRef, url }: Checkout): Promise<void> {
  const text = `UPDATE top_ups SET checkout_ref = $2, checkout_url = $3, updated_at = now() WHERE id = $1 AND checkout_ref IS NULL`
  await pool.query(text, [id, checkoutRef, url])
}

/** Requires the lock of the order. */
export async function updateTopUp(
  client: PoolClient,
  id: Uuid,
  { verdict, reading }: { verdict: PaymentVerdict; reading: PaymentReading },
): Promise<TopUp | null> {
  const text = `UPDATE top_ups SET state = $2, mismatch = $3, paid_minor = $4, refunded_minor = $5, returned_minor = $6,
      withdrawn_minor = $7, reinstated_minor = $8, lost_minor = $9, processed_cents = $10, unprocessed_cents = $11,
      paid_credit_nano = $12, paid_fee_nano = $13, paid_tax_nano = $14, disputed_nano = $15, effects = effects + $16,
      checkout_ref = coalesce(checkout_ref, $17), payment_ref = coalesce(payment_ref, $18),
      next_check_at = CASE WHEN $2::text = 'open' THEN next_check_at END,
      paid_at = CASE WHEN $4::bigint > 0 THEN coalesce(paid_at, now()) END, is_pending = $19, updated_at = now()
    WHERE id = $1 RETURNING ${columns}`
  const { sums, booked } = verdict
  return findOne(client, text, [
    id,
    verdict.state,
    verdict.mismatch,
    sums.paid,
    sums.refunded,
    sums.returned,
    sums.withdrawn,
    sums.reinstated,
    sums.lost,
    sums.processorFee,
    sums.processorFeeReturned,
    booked.credit,
    booked.fee,
    booked.tax,
    verdict.disputed,
    verdict.effects.length,
    reading.checkoutRef,
    reading.paymentRef,
    verdict.state === 'open' && reading.status === 'pending',
  ])
}

/** Claims open orders that are due, until the lease ends. */
export async function claimDue(
  pool: Pool,
  providers: readonly PaymentSource[],
  { atMost, leaseMs }: { atMost: number; leaseMs: number },
): Promise<TopUp[]> {
  const text = `UPDATE top_ups SET next_check_at = clock_timestamp() + $3::bigint * interval '1 millisecond'
    WHERE id IN (SELECT d.id FROM top_ups d WHERE d.provider = ANY ($1) AND d.next_check_at <= clock_timestamp()
      ORDER BY d.next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING ${columns}`
  const { rows } = await pool.query<Row>(text, [providers, atMost, leaseMs])
  return rows.map(topUpOf)
}

/** Applies only to an order that is still open: a webhook may have been faster. */
export async function scheduleCheck(pool: Pool, id: Uuid, next: NextCheck): Promise<void> {
  const text = `UPDATE top_ups SET state = CASE WHEN $2 THEN 'expired' ELSE state END,
      next_check_at = clock_timestamp() + $3::bigint * interval '1 millisecond', updated_at = now()
    WHERE id = $1 AND state = 'open'`
  await pool.query(text, [id, next === 'expire', next === null || next === 'expire' ? null : Math.ceil(next.inMs)])
}

/**
 * The sum of a payer's orders since a time that are paid or can still be paid. The payer's row is locked, so that
 * orders are serialized.
 */
export async function sumOrders(
  client: PoolClient,
  payerId: Uuid,
  { newSinceMs, sinceMs }: OrderLimit,
): Promise<{ isNew: boolean; ordered: NanoUsd; open: number }> {
  const locked = `SELECT created_at >= to_timestamp($2::float8 / 1000) AS is_new FROM users WHERE id = $1 FOR NO KEY UPDATE`
  const { rows: people } = await client.query<{ is_new: boolean }>(locked, [payerId, newSinceMs])
  const text = `SELECT coalesce(sum(credit_nano) FILTER (WHERE created_at >= to_timestamp($2::float8 / 1000)), 0)::text AS ordered,
      count(*) FILTER (WHERE state = 'open')::integer AS open
    FROM top_ups WHERE payer_id = $1 AND state <> 'expired' AND (state = 'open' OR created_at >= to_timestamp($2::float8 / 1000))`
  const { rows } = await client.query<{ ordered: string; open: number }>(text, [payerId, sinceMs])
  const { ordered = '0', open = 0 } = rows[0] ?? {}
  return { isNew: people[0]?.is_new ?? true, ordered: readNano(ordered), open }
}
