import type { PoolClient } from 'pg'
import type { Team } from '#domain/organizations/team.ts'

const text = `UPDATE teams SET name = $3, description = $4, cost_center_code = $5, permission_scope = $6,
    monthly_budget_nano = $7, updated_at = now()
  WHERE organization_id = $2 AND id = $1`

export async function updateTeam(client: PoolClient, team: Team): Promise<void> {
  await client.query(text, [
    team.id,
    team.organizationId,
    team.name,
    team.description,
    team.costCenterCode,
    team.permissionScope,
    team.monthlyBudget,
  ])
}
