import type { PoolClient } from 'pg'
import type { Member } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'
import { type MemberRow, readMember } from './find-member.sql.ts'

const text = `UPDATE members SET role = 'member', updated_at = now()
  WHERE organization_id = $1 AND team_id = $2 AND role = 'team_admin'
  RETURNING id, user_id, role, team_id, monthly_budget_nano`

/** Answers them as they are now: plain members of the team. */
export async function demoteTeamAdmins(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<Member[]> {
  const { rows } = await client.query<MemberRow>(text, [organizationId, teamId])
  return rows.map(readMember)
}
