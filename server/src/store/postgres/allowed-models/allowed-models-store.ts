import type { Pool, PoolClient } from 'pg'
import type { AllowedModelsLayers } from '#domain/access/resolve-allowed-models.ts'
import type { AllowedModelsStore, ModelListOwner } from '#ports/organization-rules.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

export function createAllowedModelsStore(pool: Pool, nowMs: () => number): AllowedModelsStore {
  return {
    find: (owner) => refuseWhenAway(findAllowedModels(pool, owner)),
    replace: (owner, patterns, describe) => {
      const replacing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        const before = await setAllowedModels(client, owner, patterns)
        if (before === null) return false
        const entry = describe(before)
        if (entry !== null) await appendAudit(client, [entry], nowMs())
        return true
      })
      return refuseWhenAway(replacing)
    },
  }
}

/** The lists that apply to this owner. A member's team is their current team. */
async function findAllowedModels(pool: Pool, owner: ModelListOwner): Promise<AllowedModelsLayers | null> {
  const text = `SELECT o.allowed_models AS organization, t.allowed_models AS team, m.allowed_models AS member
    FROM organizations o
    LEFT JOIN members m ON m.organization_id = o.id AND m.id = $3
    LEFT JOIN teams t ON t.organization_id = o.id AND t.id = coalesce($2, m.team_id)
    WHERE o.id = $1`
  const { rows } = await pool.query<{ organization: string[]; team: string[] | null; member: string[] | null }>(text, [
    owner.organizationId,
    owner.kind === 'team' ? owner.teamId : null,
    owner.kind === 'member' ? owner.memberId : null,
  ])
  const [row] = rows
  if (row === undefined || (owner.kind !== 'organization' && row[owner.kind] === null)) return null
  return { organization: row.organization, team: row.team ?? [], member: row.member ?? [] }
}

// The row is locked before it is read, so that the later of two changes sees the result of the earlier one.
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

/** Returns the previous list, or null if the owner does not exist. */
async function setAllowedModels(
  client: PoolClient,
  owner: ModelListOwner,
  patterns: readonly string[],
): Promise<string[] | null> {
  const id = owner.kind === 'organization' ? [] : [owner.kind === 'team' ? owner.teamId : owner.memberId]
  const values = [owner.organizationId, patterns, ...id]
  const { rows } = await client.query<{ before: string[] }>(texts[owner.kind], values)
  return rows[0]?.before ?? null
}
