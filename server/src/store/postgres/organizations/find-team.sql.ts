import type { PoolClient } from 'pg'
import type { Team } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT id, organization_id, name, description, cost_center_code, permission_scope, monthly_budget_nano
  FROM teams WHERE organization_id = $1 AND id = $2`

export interface TeamRow {
  id: string
  organization_id: string
  name: string
  description: string | null
  cost_center_code: string | null
  permission_scope: string | null
  monthly_budget_nano: string | null
}

export async function findTeam(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<Team | null> {
  const { rows } = await client.query<TeamRow>(text, [organizationId, teamId])
  const [row] = rows
  return row === undefined ? null : readTeam(row)
}

export function readTeam(row: TeamRow): Team {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    costCenterCode: row.cost_center_code,
    permissionScope: row.permission_scope,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
  }
}
