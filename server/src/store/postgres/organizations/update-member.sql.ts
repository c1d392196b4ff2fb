import type { PoolClient } from 'pg'
import type { Member } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `UPDATE members SET role = $3, team_id = $4, monthly_budget_nano = $5, updated_at = now()
  WHERE organization_id = $1 AND id = $2`

export async function updateMember(client: PoolClient, organizationId: Uuid, member: Member): Promise<void> {
  await client.query(text, [organizationId, member.id, member.role, member.teamId, member.monthlyBudget])
}
