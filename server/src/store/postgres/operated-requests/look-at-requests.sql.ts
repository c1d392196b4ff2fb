import type { Pool } from 'pg'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { failedReasons } from '#domain/usage/failed-reasons.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerKind } from '#ports/customers.ts'
import type { OperatedRequest, OperatedRequestFilter } from '#ports/operated-requests.ts'
import { readNano } from '../column-values.ts'
import type { IdRange, Looked } from '../generations/walk-back.ts'

interface Look extends IdRange {
  readonly filter: OperatedRequestFilter
  /** How many requests are read, and how many matching requests are returned. */
  readonly lookMax: number
  readonly limit: number
}

interface Row {
  id: string
  wallet_id: string
  key_id: string
  key_name: string | null
  key_shown: string | null
  customer_kind: CustomerKind | null
  customer_id: string | null
  customer_name: string | null
  endpoint: string
  model: string | null
  provider: string | null
  is_refused: boolean
  status: number | null
  error: string | null
  refund_reason: RefundReason | null
  cost_nano: string
  duration_ms: number | null
  attempt_count: number
  position: string
  is_end: boolean
  fits: boolean | null
}

/**
 * Reads requests of one range, the newest first: of one wallet by its index, else of all by their id. Either way the
 * innermost LIMIT bounds how many rows are read.
 */
export async function lookAtRequests(pool: Pool, look: Look): Promise<Looked<OperatedRequest>> {
  const { text, values } = requestStatement(look)
  const { rows } = await pool.query<Row>(text, [...values])
  const end = rows.find((row) => row.is_end)
  return {
    found: rows.filter((row) => row.fits === true).map(requestOf),
    end: end === undefined ? null : { id: end.id, count: Number(end.position) },
  }
}

const finished = `SELECT id, wallet_id, key_id, endpoint, model, provider, false AS is_refused, upstream_status AS status,
    refund_reason AS error, refund_reason, cost_nano, duration_ms, jsonb_array_length(attempts) AS attempt_count FROM generations`
const refused = `SELECT id, wallet_id, key_id, endpoint, model, NULL::text AS provider, true AS is_refused, status::integer AS status,
    error, NULL::text AS refund_reason, 0::bigint AS cost_nano, NULL::integer AS duration_ms, 0 AS attempt_count FROM refusals`
const failed = failedReasons.map((reason) => `'${reason}'`).join(', ')

/** Not a named statement: partitions are pruned only if the values are known when it is planned. */
export function requestStatement({ filter, from, before, lookMax, limit }: Look): {
  text: string
  values: readonly unknown[]
} {
  const { outcome, provider, walletId } = filter
  // A refused request had no provider.
  const sources =
    outcome === 'refused' ? [refused] : outcome === null && provider === null ? [finished, refused] : [finished]
  const range = `id >= $1 AND id < $2${walletId === null ? ' AND $4::uuid IS NULL' : ' AND wallet_id = $4'}`
  const looked = sources.map((source) => `(${source} WHERE ${range} ORDER BY id DESC LIMIT $3)`).join(' UNION ALL ')
  const text = `SELECT j.*, k.name AS key_name, k.prefix || '…' || k.suffix AS key_shown,
      w.owner_kind AS customer_kind, w.owner_id AS customer_id,
      coalesce(o.name, CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END) AS customer_name
    FROM (SELECT * FROM (
        SELECT *, row_number() OVER newest_first AS position, lead(id) OVER newest_first IS NULL AS is_end,
          ($5::uuid IS NULL OR key_id = $5) AND ($6::text IS NULL OR model = $6) AND ($7::text IS NULL OR provider = $7)
            AND ($8::text IS NULL OR error = $8) AND ($9::uuid IS NULL OR id = $9)
            AND CASE $10::text WHEN 'charged' THEN NOT is_refused AND refund_reason IS NULL
              WHEN 'failed' THEN coalesce(refund_reason IN (${failed}), false)
              WHEN 'refunded' THEN coalesce(refund_reason NOT IN (${failed}), false) ELSE true END AS fits
        FROM (SELECT * FROM (${looked}) AS both_kinds ORDER BY id DESC LIMIT $3) AS looked
        WINDOW newest_first AS (ORDER BY id DESC)) AS judged
      WHERE fits OR is_end ORDER BY id DESC LIMIT $11) AS j
    LEFT JOIN api_keys k ON k.id = j.key_id LEFT JOIN wallets w ON w.id = j.wallet_id
    LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    ORDER BY j.id DESC`
  const wanted = [filter.keyId, filter.model, provider, filter.error, filter.id, outcome]
  return { text, values: [from, before, lookMax, walletId, ...wanted, limit] }
}

function requestOf(row: Row): OperatedRequest {
  const { customer_kind: kind, customer_id: id } = row
  return {
    id: row.id,
    walletId: row.wallet_id,
    customer: kind === null || id === null ? null : { kind, id, name: row.customer_name },
    key: { id: row.key_id, name: row.key_name, shown: row.key_shown },
    endpoint: row.endpoint,
    model: row.model,
    provider: row.provider,
    isRefused: row.is_refused,
    status: row.status,
    error: row.error,
    refundReason: row.refund_reason,
    cost: readNano(row.cost_nano),
    durationMs: row.duration_ms,
    attemptCount: row.attempt_count,
  }
}

export async function findKeyWallet(pool: Pool, keyId: Uuid): Promise<Uuid | null> {
  const text = 'SELECT wallet_id FROM api_keys WHERE id = $1'
  const { rows } = await pool.query<{ wallet_id: string }>({ name: 'find-key-wallet', text, values: [keyId] })
  return rows[0]?.wallet_id ?? null
}

/** The oldest partition tells how far a walk can go. */
export async function readFirstRequestDay(pool: Pool): Promise<number> {
  const text = `SELECT extract(epoch FROM least(
      coalesce(to_date(right(oldest_partition('generations'), 8), 'YYYYMMDD'), (now() AT TIME ZONE 'UTC')::date - 1),
      coalesce(to_date(right(oldest_partition('refusals'), 8), 'YYYYMMDD'), (now() AT TIME ZONE 'UTC')::date - 1))) * 1000 AS "startMs"`
  const { rows } = await pool.query<{ startMs: string }>({ name: 'read-first-request-day', text })
  return Number(rows[0]?.startMs ?? 0)
}
