import type { Pool } from 'pg'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import type { BreakerLayers } from '#ports/breaker-book.ts'
import { type BreakerColumns, readSettings } from './breaker-columns.ts'

// The narrowest layer comes first; a member's team is the one they are in now.
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

/** Null: there is no such owner. */
export async function findBreakerLayers(pool: Pool, owner: LayerOwner): Promise<BreakerLayers | null> {
  const { rows } = await pool.query<BreakerColumns & { kind: LayerKind }>(text, [
    owner.organizationId,
    owner.kind === 'team' ? owner.id : null,
    owner.kind === 'member' ? owner.id : null,
  ])
  const [own, ...wider] = rows
  if (own === undefined || own.kind !== owner.kind) return null
  return [readSettings(own), ...wider.map(readSettings)]
}
