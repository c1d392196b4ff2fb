import type { PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type { Member } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT id, user_id, role, team_id, monthly_budget_nano FROM members
  WHERE organization_id = $1 AND (id = $2 OR user_id = $3)`

export interface MemberRow {
  id: string
  user_id: string
  role: Role
  team_id: string | null
  monthly_budget_nano: string | null
}

/** By the membership or by the user. */
export async function findMember(
  client: PoolClient,
  organizationId: Uuid,
  query: { memberId: Uuid } | { userId: Uuid },
): Promise<Member | null> {
  const values = 'memberId' in query ? [query.memberId, null] : [null, query.userId]
  const { rows } = await client.query<MemberRow>(text, [organizationId, ...values])
  const [row] = rows
  return row === undefined ? null : readMember(row)
}

export function readMember(row: MemberRow): Member {
  return {
    id: row.id,
    userId: row.user_id,
    role: row.role,
    teamId: row.team_id,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
  }
}
