import type { Pool } from 'pg'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { PastRequest } from '#domain/limits/replay.ts'
import type { PastRequests } from '#ports/backtest.ts'
import { dateOf } from '#lib/utc-calendar.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

/** Requests for replays, from the pool for usage pages. */
export function createPastRequests(pool: Pool): PastRequests {
  return {
    findStart: ({ organizationId, newer }) =>
      refuseWhenAway(
        (async () => {
          const text = `SELECT started_at FROM generations WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1`
          const { rows } = await pool.query<{ started_at: Date }>(text, [organizationId, newer])
          return rows[0]?.started_at.getTime() ?? null
        })(),
      ),
    read: (query) => refuseWhenAway(readRequests(pool, query)),
    readSpend: (owner, { fromMs, toMs }) =>
      refuseWhenAway(
        (async () => {
          const text = `SELECT coalesce(sum(spent_nano), 0)::text AS spent FROM spend_days
            WHERE kind = $1 AND owner_id = $2 AND day >= $3 AND day < $4`
          const { rows } = await pool.query<{ spent: string }>(text, [
            owner.kind,
            owner.id,
            dateOf(fromMs),
            dateOf(toMs),
          ])
          return readNano(rows[0]?.spent ?? '0')
        })(),
      ),
  }
}

interface Row {
  id: string
  started_at: Date
  settled_at: Date
  held_nano: string
  cost_nano: string
  model: string
  member_id: string | null
}

const ownerColumns = { organization: '', team: 'AND team_id = $5', member: 'AND member_id = $5' } as const

async function readRequests(
  pool: Pool,
  { owner, fromMs, afterId, limit }: Parameters<PastRequests['read']>[0],
): Promise<PastRequest[]> {
  const text = `SELECT id, started_at, settled_at, held_nano, cost_nano, model, member_id FROM generations
    WHERE organization_id = $1 AND id >= first_id_at($2) AND ($3::uuid IS NULL OR id > $3) ${ownerColumns[owner.kind]}
    ORDER BY id LIMIT $4`
  const values = [owner.organizationId, new Date(fromMs), afterId, limit, ...narrowed(owner)]
  const { rows } = await pool.query<Row>(text, values)
  return rows.map((row) => ({
    id: row.id,
    startedAtMs: row.started_at.getTime(),
    settledAtMs: row.settled_at.getTime(),
    held: readNano(row.held_nano),
    cost: readNano(row.cost_nano),
    model: row.model,
    memberId: row.member_id,
  }))
}

function narrowed({ kind, id }: LayerOwner): string[] {
  return kind === 'organization' ? [] : [id]
}
