import type { PoolClient } from 'pg'
import type { Team } from '#domain/organizations/team.ts'

const text = `INSERT INTO teams (id, organization_id, name, description, cost_center_code, permission_scope, monthly_budget_nano)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`

export async function insertTeam(client: PoolClient, team: Team): Promise<void> {
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
