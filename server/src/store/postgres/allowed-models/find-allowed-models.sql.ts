import type { Pool } from 'pg'
import type { AllowedModelsLayers } from '#domain/access/resolve-allowed-models.ts'
import type { ModelListOwner } from '#ports/allowed-models.ts'

const text = `SELECT o.allowed_models AS organization, t.allowed_models AS team, m.allowed_models AS member
  FROM organizations o
  LEFT JOIN members m ON m.organization_id = o.id AND m.id = $3
  LEFT JOIN teams t ON t.organization_id = o.id AND t.id = coalesce($2, m.team_id)
  WHERE o.id = $1`

/** The lists that hold for this owner: a member's team is the one they are in now. */
export async function findAllowedModels(pool: Pool, owner: ModelListOwner): Promise<AllowedModelsLayers | null> {
  const { rows } = await pool.query<{ organization: string[]; team: string[] | null; member: string[] | null }>(text, [
    owner.organizationId,
    owner.kind === 'team' ? owner.teamId : null,
    owner.kind === 'member' ? owner.memberId : null,
  ])
  const [row] = rows
  if (row === undefined || (owner.kind !== 'organization' && row[owner.kind] === null)) return null
  return { organization: row.organization, team: row.team ?? [], member: row.member ?? [] }
}
