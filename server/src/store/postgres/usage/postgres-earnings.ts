import type { Pool, PoolClient } from 'pg'
import { dateOf } from '#lib/utc-calendar.ts'
import type { EarningsGroup, EarningsOwner, EarningsQuery, EarningsReads, EarningsSums } from '#ports/earnings.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

export function createPostgresEarnings(pool: Pool): EarningsReads {
  return { sum: (query) => refuseWhenAway(sumEarnings(pool, query)) }
}

const groups: Readonly<Record<EarningsGroup, string>> = {
  day: "to_char(day, 'YYYY-MM-DD')",
  model: 'model',
  provider: "nullif(provider, '')",
  customer: 'wallet_id::text',
}

const sums = `sum(requests)::float8 AS requests, coalesce(sum(charged_nano), 0)::text AS charged,
    coalesce(sum(absorbed_nano), 0)::text AS absorbed, coalesce(sum(provider_cost_nano), 0)::text AS cost`

interface SumColumns {
  requests: number | null
  charged: string
  absorbed: string
  cost: string
}

interface GroupRow extends SumColumns {
  key: string | null
  /** The row of the whole. */
  is_total: boolean
  owner_kind: EarningsOwner['kind'] | null
  owner_id: string | null
  owner_name: string | null
}

/** One statement, so that the groups and their total come from one snapshot. */
export async function sumEarnings(
  pool: Pool | PoolClient,
  { range, by, limit }: EarningsQuery,
): ReturnType<EarningsReads['sum']> {
  const text = `WITH grouped AS MATERIALIZED (
      SELECT ${groups[by]} AS key, ${sums} FROM earning_days WHERE day >= $1 AND day < $2 GROUP BY 1
    ), shown AS (
      SELECT * FROM grouped ORDER BY charged::numeric DESC, key LIMIT $3
    )
    SELECT s.*, false AS is_total, w.owner_kind, w.owner_id, coalesce(o.name, u.email) AS owner_name
    FROM shown s
    LEFT JOIN wallets w ON ${by === 'customer' ? 'w.id = s.key::uuid' : 'false'}
    LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    UNION ALL
    SELECT NULL, sum(g.requests), coalesce(sum(g.charged::numeric), 0)::text, coalesce(sum(g.absorbed::numeric), 0)::text,
      coalesce(sum(g.cost::numeric), 0)::text, true, NULL, NULL, NULL
    FROM grouped g`
  const { rows } = await pool.query<GroupRow>({
    name: `sum-earnings-${by}`,
    text,
    values: [dateOf(range.startMs), dateOf(range.endMs), limit],
  })
  const total = rows.find((row) => row.is_total)
  return {
    total: sumsOf(total ?? nothing),
    rows: rows
      .filter((row) => !row.is_total)
      .map((row) => ({ key: row.key, ...sumsOf(row), ...ownerOf(row) }))
      .toSorted((one, other) => compare(other.charged, one.charged)),
  }
}

const nothing: SumColumns = { requests: 0, charged: '0', absorbed: '0', cost: '0' }

function sumsOf({ requests, charged, absorbed, cost }: SumColumns): EarningsSums {
  return {
    requests: requests ?? 0,
    charged: readNano(charged),
    absorbed: readNano(absorbed),
    providerCost: readNano(cost),
  }
}

function ownerOf({ owner_kind: kind, owner_id: id, owner_name: name }: GroupRow): { owner?: EarningsOwner } {
  return kind === null || id === null ? {} : { owner: { kind, id, name } }
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
