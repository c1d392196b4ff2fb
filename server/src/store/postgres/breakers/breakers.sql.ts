import type { Pool, PoolClient } from 'pg'
import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import { windowStart } from '#domain/limits/window.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { BreakerLayers } from '#ports/organization-rules.ts'
import { readNano, readNullableNano } from '../column-values.ts'

/** Columns that organizations, teams and members have in common. */
export interface BreakerColumns {
  breaker_enabled: boolean | null
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readBreakerSettings(row: BreakerColumns): BreakerSettings {
  return {
    enabled: row.breaker_enabled,
    minute: readNullableNano(row.breaker_minute_nano),
    hour: readNullableNano(row.breaker_hour_nano),
  }
}

/** Returns null if the owner does not exist. */
export async function findBreakerLayers(pool: Pool, owner: LayerOwner): Promise<BreakerLayers | null> {
  // The narrowest layer comes first. A member's team is their current team.
  const text = `WITH place AS (
      SELECT o.id AS organization_id, m.id AS member_id, t.id AS team_id FROM organizations o
      LEFT JOIN members m ON m.organization_id = o.id AND m.id = $3
      LEFT JOIN teams t ON t.organization_id = o.id AND t.id = coalesce($2, m.team_id)
      WHERE o.id = $1
    )
    SELECT 'member' AS kind, 1 AS rank, m.breaker_enabled, m.breaker_minute_nano, m.breaker_hour_nano
      FROM place p JOIN members m ON m.id = p.member_id
    UNION ALL SELECT 'team', 2, t.breaker_enabled, t.breaker_minute_nano, t.breaker_hour_nano
      FROM place p JOIN teams t ON t.id = p.team_id
    UNION ALL SELECT 'organization', 3, o.breaker_enabled, o.breaker_minute_nano, o.breaker_hour_nano
      FROM place p JOIN organizations o ON o.id = p.organization_id
    ORDER BY rank`
  const { rows } = await pool.query<BreakerColumns & { kind: LayerKind }>(text, [
    owner.organizationId,
    owner.kind === 'team' ? owner.id : null,
    owner.kind === 'member' ? owner.id : null,
  ])
  const [own, ...wider] = rows
  if (own === undefined || own.kind !== owner.kind) return null
  return [readBreakerSettings(own), ...wider.map(readBreakerSettings)]
}

/** The spent and held amounts of an owner in the current minute and hour. */
export async function readBreakerSpend(
  pool: Pool,
  owner: LayerOwner,
  { nowMs, isCounted }: { nowMs: number; isCounted: boolean },
): Promise<{ minute: NanoUsd; hour: NanoUsd }> {
  // While a breaker is on, its window has the sums. Otherwise the window is missing or stale, and the records are
  // summed.
  const text = `SELECT coalesce(CASE WHEN $2 THEN s.spent_nano END, stored_spend(n.kind, $1, n.starts_at)) + coalesce(s.held_nano, 0) AS nano
    FROM unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS n (kind, starts_at, position)
    LEFT JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = $1 AND s.starts_at = n.starts_at
    ORDER BY n.position`
  const { rows } = await pool.query<{ nano: string }>(text, [
    owner.id,
    isCounted,
    [`${owner.kind}_minute`, `${owner.kind}_hour`],
    [windowStart('minute', nowMs), windowStart('hour', nowMs)],
  ])
  const [minute, hour] = rows.map(({ nano }) => readNano(nano))
  if (minute === undefined || hour === undefined) throw new Error('the query must return both windows')
  return { minute, hour }
}

const columns = 'breaker_enabled, breaker_minute_nano, breaker_hour_nano'
const lockTexts = {
  organization: `SELECT ${columns} FROM organizations WHERE id = $1 AND id = $2 FOR NO KEY UPDATE`,
  team: `SELECT ${columns} FROM teams WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`,
  member: `SELECT ${columns} FROM members WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`,
} as const satisfies Record<LayerKind, string>

/** The current settings, locked until the transaction ends. Null if the owner does not exist. */
export async function lockBreaker(client: PoolClient, owner: LayerOwner): Promise<BreakerSettings | null> {
  const { rows } = await client.query<BreakerColumns>(lockTexts[owner.kind], [owner.id, owner.organizationId])
  const [row] = rows
  return row === undefined ? null : readBreakerSettings(row)
}

const assignments = 'breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4, updated_at = now()'
const updateTexts = {
  organization: `UPDATE organizations SET ${assignments} WHERE id = $1`,
  team: `UPDATE teams SET ${assignments} WHERE id = $1`,
  member: `UPDATE members SET ${assignments} WHERE id = $1`,
} as const satisfies Record<LayerKind, string>

export async function updateBreaker(client: PoolClient, owner: LayerOwner, settings: BreakerSettings): Promise<void> {
  await client.query(updateTexts[owner.kind], [owner.id, settings.enabled, settings.minute, settings.hour])
}

const kinds: readonly ScopeKind[] = [
  'member_minute',
  'member_hour',
  'team_minute',
  'team_hour',
  'organization_minute',
  'organization_hour',
]

// A layer that is switched on or off may also switch the layers that inherit from it.
const recountTexts = {
  organization: `SELECT recount_windows($2, ARRAY(SELECT $1::uuid
    UNION ALL SELECT id FROM teams WHERE organization_id = $1 UNION ALL SELECT id FROM members WHERE organization_id = $1))`,
  team: `SELECT recount_windows($2, ARRAY(SELECT $1::uuid UNION ALL SELECT id FROM members WHERE team_id = $1))`,
  member: 'SELECT recount_windows($2, ARRAY[$1::uuid])',
} as const satisfies Record<LayerKind, string>

/** Recounts the open windows of an owner's breaker, and of all breakers that may inherit it, from stored sums. */
export async function recountBreakers(client: PoolClient, owner: LayerOwner): Promise<void> {
  await client.query(recountTexts[owner.kind], [owner.id, kinds])
}
