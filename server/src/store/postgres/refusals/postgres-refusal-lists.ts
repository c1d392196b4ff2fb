import type { Pool } from 'pg'
import type { Refusal } from '#domain/ledger/refusal.ts'
import type { RefusalCountQuery, RefusalListQuery, RefusalLists } from '#ports/refusals.ts'
import { refuseWhenAway } from '../faults.ts'
import { ownerOf } from '../generations/generation-columns.ts'
import { type IdRange, type Looked, walkBack } from '../generations/walk-back.ts'

const lookMaxDefault = 10_000

/** Refused requests from Postgres, in pages like those of finished requests. */
export function createRefusalLists(pool: Pool, lookMax = lookMaxDefault): RefusalLists {
  return {
    list: ({ scope, filter, before, limit, nowMs }) =>
      refuseWhenAway(
        walkBack({
          before,
          limit,
          nowMs,
          lookMax,
          fromMs: filter.fromMs,
          toMs: filter.toMs,
          look: (range) => lookAtRefusals(pool, { scope, filter, ...range }),
          readFirstDay: () => readFirstDay(pool),
        }),
      ),
    count: (query) => refuseWhenAway(countRefusals(pool, query)),
  }
}

interface Look extends IdRange, Pick<RefusalListQuery, 'scope' | 'filter'> {
  readonly lookMax: number
  readonly limit: number
}

interface Row {
  id: string
  key_id: string
  wallet_id: string
  user_id: string | null
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  endpoint: string
  error: string
  status: number
  bound_by: string | null
  model: string | null
  position: string
  is_end: boolean
  fits: boolean | null
}

// As in `look-at-generations.sql.ts`: the innermost LIMIT bounds how many rows are read.
const textFor = (owner: 'wallet_id' | 'user_id'): string => `SELECT * FROM (
    SELECT *, row_number() OVER newest_first AS position, lead(id) OVER newest_first IS NULL AS is_end,
      wallet_id = $5 AND ($6::uuid IS NULL OR member_id = $6) AND ($7::uuid IS NULL OR key_id = $7)
        AND ($8::uuid IS NULL OR key_id = $8) AND ($9::text IS NULL OR model = $9)
        AND ($10::uuid IS NULL OR team_id = $10) AS fits
    FROM (SELECT * FROM refusals WHERE ${owner} = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4) AS looked
    WINDOW newest_first AS (ORDER BY id DESC)) AS judged
  WHERE fits OR is_end ORDER BY id DESC LIMIT $11`

const texts = { wallet: textFor('wallet_id'), person: textFor('user_id') }

async function lookAtRefusals(pool: Pool, { scope, filter, ...look }: Look): Promise<Looked<Refusal>> {
  const { walletId, userId } = scope
  const [memberId, keyId] = ownerOf(scope)
  const ofPerson = memberId !== null && userId !== null
  const { rows } = await pool.query<Row>(ofPerson ? texts.person : texts.wallet, [
    ofPerson ? userId : walletId,
    look.from,
    look.before,
    look.lookMax,
    walletId,
    memberId,
    keyId,
    filter.keyId,
    filter.model,
    filter.teamId,
    look.limit,
  ])
  const end = rows.find((row) => row.is_end)
  return {
    found: rows.filter((row) => row.fits === true).map(refusalOf),
    end: end === undefined ? null : { id: end.id, count: Number(end.position) },
  }
}

function refusalOf(row: Row): Refusal {
  return {
    id: row.id,
    keyId: row.key_id,
    walletId: row.wallet_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    endpoint: row.endpoint,
    error: row.error,
    status: row.status,
    boundBy: row.bound_by,
    model: row.model,
  }
}

/** Rows are kept for days or weeks, so the oldest partition tells how far a walk can go. */
async function readFirstDay(pool: Pool): Promise<number> {
  const text = `SELECT extract(epoch FROM coalesce(to_date(right(oldest_partition('refusals'), 8), 'YYYYMMDD'),
      (now() AT TIME ZONE 'UTC')::date - 1)) * 1000 AS "startMs"`
  const { rows } = await pool.query<{ startMs: string }>({ name: 'read-first-refusal-day', text })
  return Number(rows[0]?.startMs ?? 0)
}

async function countRefusals(pool: Pool, { scope, keyId, fromMs, toMs }: RefusalCountQuery) {
  // A count has its key alone. The key, which is kept after it is revoked, identifies the member.
  const text = `SELECT c.error, sum(c.count)::bigint AS count FROM refusal_counts c LEFT JOIN api_keys k ON k.id = c.key_id
    WHERE c.wallet_id = $1 AND c.hour >= to_timestamp($2::bigint / 1000) AND c.hour < to_timestamp($3::bigint / 1000)
      AND ($4::uuid IS NULL OR k.member_id = $4) AND ($5::uuid IS NULL OR c.key_id = $5) AND ($6::uuid IS NULL OR c.key_id = $6)
    GROUP BY 1 ORDER BY 2 DESC, 1`
  const { rows } = await pool.query<{ error: string; count: string }>({
    name: 'count-refusals',
    text,
    values: [scope.walletId, fromMs, toMs, ...ownerOf(scope), keyId],
  })
  return rows.map(({ error, count }) => ({ error, count: Number(count) }))
}
