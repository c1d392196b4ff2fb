import type { Pool } from 'pg'
import { firstUuidAt, type Uuid } from '#lib/uuid.ts'
import type { MeterSpan } from '#ports/meter-sums.ts'

interface ChargesQuery extends MeterSpan {
  readonly sink: string
  /** Null for all wallets. */
  readonly organizationId: Uuid | null
}

// A request begins at most this long before it is charged: a spool may be brought back weeks later.
const runMaxMs = 60 * 86_400_000

/** The charges of customers in a time range that were sent to a sink. Null if the sink does not exist. */
export async function readCustomerCharges(
  pool: Pool,
  { sink, fromMs, toMs, organizationId }: ChargesQuery,
): Promise<ReadonlyMap<string, bigint> | null> {
  const sent = await pool.query<{ below: string }>('SELECT sent_below AS below FROM event_sinks WHERE name = $1', [
    sink,
  ])
  const [position] = sent.rows
  if (position === undefined) return null
  const text = `SELECT c.external_id AS customer, sum(g.cost_nano)::text AS charged
    FROM generations g JOIN end_customers c ON c.id = g.end_customer_id
    WHERE g.id >= $1 AND g.settled_at >= to_timestamp($2::float8 / 1000) AND g.settled_at < to_timestamp($3::float8 / 1000)
      AND g.cost_nano > 0 AND g.settled_position < $4 AND ($5::uuid IS NULL OR g.organization_id = $5)
    GROUP BY c.external_id`
  const values = [firstUuidAt(fromMs - runMaxMs), fromMs, toMs, position.below, organizationId]
  const { rows } = await pool.query<{ customer: string; charged: string }>(text, values)
  return new Map(rows.map(({ customer, charged }) => [customer, BigInt(charged)]))
}
