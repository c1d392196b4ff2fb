import type { PoolClient } from 'pg'
import type { ModelListOwner } from '#ports/allowed-models.ts'

// The row is locked before it is read, so that of two changes the later one sees what the earlier has left.
const texts = {
  organization: `UPDATE organizations SET allowed_models = $2, updated_at = now()
    FROM (SELECT id, allowed_models FROM organizations WHERE id = $1 FOR NO KEY UPDATE) AS before
    WHERE organizations.id = before.id RETURNING before.allowed_models AS before`,
  team: `UPDATE teams SET allowed_models = $2, updated_at = now()
    FROM (SELECT id, allowed_models FROM teams WHERE organization_id = $1 AND id = $3 FOR NO KEY UPDATE) AS before
    WHERE teams.id = before.id RETURNING before.allowed_models AS before`,
  member: `UPDATE members SET allowed_models = $2, updated_at = now()
    FROM (SELECT id, allowed_models FROM members WHERE organization_id = $1 AND id = $3 FOR NO KEY UPDATE) AS before
    WHERE members.id = before.id RETURNING before.allowed_models AS before`,
} as const

/** Gives the list as it was; null: there is no such owner. */
export async function setAllowedModels(
  client: PoolClient,
  owner: ModelListOwner,
  patterns: readonly string[],
): Promise<string[] | null> {
  const id = owner.kind === 'organization' ? [] : [owner.kind === 'team' ? owner.teamId : owner.memberId]
  const values = [owner.organizationId, patterns, ...id]
  const { rows } = await client.query<{ before: string[] }>(texts[owner.kind], values)
  return rows[0]?.before ?? null
}
