import type { PoolClient } from 'pg'
import { minor } from '#domain/payments/currency.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { OtherBalance, ProcessorDifference, ProcessorMonth, ProcessorSum } from '#ports/accounting.ts'
import type { CustomerName } from '#ports/customers.ts'

// A lost dispute moves nothing at the processor, and lines without a payment are not booked.
const isTheirs = `b.kind NOT IN ('payout', 'payout_returned', 'other')`
const isOurs = `e.kind <> 'dispute_lost'`

/** Every balance transaction and every booking of a month by order, kind and currency, where any amount is not zero. */
const sides = `theirs AS (
    SELECT b.provider, b.top_up_id, CASE WHEN b.top_up_id IS NULL THEN b.id END AS line_id, k.kind, k.currency,
      sum(k.amount) AS amount
    FROM payment_balances b CROSS JOIN LATERAL (VALUES (b.kind, b.currency, b.amount_minor),
      ('processor_fee', 'usd', greatest(b.fee_cents, 0)), ('processor_fee_returned', 'usd', greatest(-b.fee_cents, 0))
    ) AS k (kind, currency, amount)
    WHERE b.created_at >= $1 AND b.created_at < $2 AND ${isTheirs} AND k.amount <> 0 GROUP BY 1, 2, 3, 4, 5
  ), ours AS (
    SELECT t.provider, e.top_up_id, NULL::text AS line_id, e.kind,
      CASE WHEN e.kind LIKE 'processor%' THEN 'usd' ELSE t.currency END AS currency, sum(e.amount_minor) AS amount
    FROM top_up_effects e JOIN top_ups t ON t.id = e.top_up_id JOIN payment_watermarks m ON m.provider = t.provider
    WHERE e.booked_at >= $1 AND e.booked_at < $2 AND ${isOurs} GROUP BY 1, 2, 3, 4, 5
  ), compared AS (
    SELECT provider, top_up_id, line_id, kind, currency, sum(theirs)::text AS theirs, sum(ours)::text AS ours
    FROM (SELECT *, amount AS theirs, 0 AS ours FROM theirs UNION ALL SELECT *, 0, amount FROM ours) AS both_sides
    GROUP BY 1, 2, 3, 4, 5
  )`

/** One record more than the limit tells that there are more. */
export async function readProcessorMonth(client: PoolClient, month: DayRange, limit: number): Promise<ProcessorMonth> {
  const values = [new Date(month.startMs), new Date(month.endMs)]
  return {
    watermarks: await readWatermarks(client),
    sums: await readSums(client, values),
    differences: await readDifferences(client, [...values, limit + 1]),
    others: await readOthers(client, [...values, limit + 1]),
  }
}

async function readWatermarks(client: PoolClient): Promise<ProcessorMonth['watermarks']> {
  const text = `SELECT provider, CASE WHEN isfinite(balances_until) THEN balances_until END AS until
    FROM payment_watermarks ORDER BY provider`
  const { rows } = await client.query<{ provider: string; until: Date | null }>(text)
  return rows.map(({ provider, until }) => ({ provider, readUntilMs: until?.getTime() ?? null }))
}

interface SumRow {
  provider: string
  kind: string
  currency: string
  theirs: string
  ours: string
}

function sumOf({ provider, kind, currency, theirs, ours }: SumRow): ProcessorSum {
  return { provider, kind, currency, theirs: minor(BigInt(theirs)), ours: minor(BigInt(ours)) }
}

async function readSums(client: PoolClient, values: unknown[]): Promise<ProcessorSum[]> {
  const text = `WITH ${sides}
    SELECT provider, kind, currency, sum(theirs::numeric)::text AS theirs, sum(ours::numeric)::text AS ours
    FROM compared GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
  return (await client.query<SumRow>(text, values)).rows.map(sumOf)
}

interface DifferenceRow extends SumRow {
  top_up_id: string | null
  line_id: string | null
  is_other_month: boolean
  owner_kind: CustomerName['kind'] | null
  owner_id: string | null
  owner_name: string | null
}

async function readDifferences(client: PoolClient, values: unknown[]): Promise<ProcessorDifference[]> {
  const text = `WITH ${sides}
    SELECT c.*, w.owner_kind, w.owner_id,
      coalesce(o.name, CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END) AS owner_name,
      c.top_up_id IS NOT NULL AND x.theirs = y.ours AS is_other_month
    FROM compared c
    LEFT JOIN top_ups t ON t.id = c.top_up_id LEFT JOIN wallets w ON w.id = t.wallet_id
    LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(CASE c.kind WHEN 'processor_fee' THEN greatest(b.fee_cents, 0)
        WHEN 'processor_fee_returned' THEN greatest(-b.fee_cents, 0)
        ELSE CASE WHEN b.kind = c.kind THEN b.amount_minor ELSE 0 END END), 0) AS theirs
      FROM payment_balances b WHERE b.top_up_id = c.top_up_id AND ${isTheirs}) AS x
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount_minor), 0) AS ours FROM top_up_effects e
      WHERE e.top_up_id = c.top_up_id AND e.kind = c.kind) AS y
    WHERE c.theirs <> c.ours
    ORDER BY is_other_month, c.provider, c.top_up_id, c.line_id, c.kind LIMIT $3`
  const { rows } = await client.query<DifferenceRow>(text, values)
  return rows.map((row) => ({
    ...sumOf(row),
    topUpId: row.top_up_id,
    lineId: row.line_id,
    customer:
      row.owner_kind === null || row.owner_id === null
        ? null
        : { kind: row.owner_kind, id: row.owner_id, name: row.owner_name },
    isOtherMonth: row.is_other_month,
  }))
}

interface OtherRow {
  provider: string
  id: string
  kind: OtherBalance['kind']
  currency: string
  amount: string
  fee: string
  created_at: Date
}

async function readOthers(client: PoolClient, values: unknown[]): Promise<OtherBalance[]> {
  const text = `SELECT b.provider, b.id, b.kind, b.currency, b.amount_minor::text AS amount, b.fee_cents::text AS fee,
      b.created_at
    FROM payment_balances b WHERE b.created_at >= $1 AND b.created_at < $2 AND NOT ${isTheirs}
    ORDER BY b.created_at, b.id LIMIT $3`
  const { rows } = await client.query<OtherRow>(text, values)
  return rows.map(({ amount, fee, created_at: createdAt, ...row }) => {
    return { ...row, amount: minor(BigInt(amount)), fee: minor(BigInt(fee)), createdAtMs: createdAt.getTime() }
  })
}
