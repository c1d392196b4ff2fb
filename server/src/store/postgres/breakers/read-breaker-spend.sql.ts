import type { Pool } from 'pg'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import { windowStart } from '#domain/limits/window.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { readNano } from '../nano-column.ts'

// While a breaker is on, its window says what counts. Otherwise the window is missing or out of date, and the records are summed.
const text = `SELECT coalesce(CASE WHEN $2 THEN s.spent_nano END, stored_spend(n.kind, $1, n.starts_at)) + coalesce(s.held_nano, 0) AS nano
  FROM unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS n (kind, starts_at, position)
  LEFT JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = $1 AND s.starts_at = n.starts_at
  ORDER BY n.position`

/** What an owner has spent and holds in the running minute and hour. */
export async function readBreakerSpend(
  pool: Pool,
  owner: LayerOwner,
  { nowMs, isCounted }: { nowMs: number; isCounted: boolean },
): Promise<{ minute: NanoUsd; hour: NanoUsd }> {
  const { rows } = await pool.query<{ nano: string }>(text, [
    owner.id,
    isCounted,
    [`${owner.kind}_minute`, `${owner.kind}_hour`],
    [windowStart('minute', nowMs), windowStart('hour', nowMs)],
  ])
  const [minute, hour] = rows.map(({ nano }) => readNano(nano))
  if (minute === undefined || hour === undefined) throw new Error('the statement answers for both windows')
  return { minute, hour }
}
