import type { PoolClient } from 'pg'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import type { ScopeKind } from '#domain/limits/scopes.ts'

const kinds: readonly ScopeKind[] = [
  'member_minute',
  'member_hour',
  'team_minute',
  'team_hour',
  'organization_minute',
  'organization_hour',
]

// A layer that is switched on or off may switch those on or off that inherit from it.
const texts = {
  organization: `SELECT recount_windows($2, ARRAY(SELECT $1::uuid
    UNION ALL SELECT id FROM teams WHERE organization_id = $1 UNION ALL SELECT id FROM members WHERE organization_id = $1))`,
  team: `SELECT recount_windows($2, ARRAY(SELECT $1::uuid UNION ALL SELECT id FROM members WHERE team_id = $1))`,
  member: 'SELECT recount_windows($2, ARRAY[$1::uuid])',
} as const satisfies Record<LayerKind, string>

/** Counts the open windows of an owner's breaker, and of all who may inherit it, anew from stored sums. */
export async function recountBreakers(client: PoolClient, owner: LayerOwner): Promise<void> {
  await client.query(texts[owner.kind], [owner.id, kinds])
}
