import type { PoolClient } from 'pg'
import type { Member } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `INSERT INTO members (id, organization_id, user_id, role, team_id, monthly_budget_nano)
  VALUES ($1, $2, $3, $4, $5, $6)`

export async function insertMember(client: PoolClient, organizationId: Uuid, member: Member): Promise<void> {
  const values = [member.id, organizationId, member.userId, member.role, member.teamId, member.monthlyBudget]
  await client.query(text, values)
}
