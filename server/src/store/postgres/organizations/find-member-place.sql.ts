import type { Pool } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberPlace } from '#ports/memberships.ts'

const text = 'SELECT id, user_id, role, team_id FROM members WHERE organization_id = $1 AND id = $2'

export async function findMemberPlace(
  pool: Pool,
  { organizationId, memberId }: { organizationId: Uuid; memberId: Uuid },
): Promise<MemberPlace | null> {
  const { rows } = await pool.query<{ id: string; user_id: string; role: Role; team_id: string | null }>(text, [
    organizationId,
    memberId,
  ])
  const [row] = rows
  return row === undefined ? null : { id: row.id, userId: row.user_id, role: row.role, teamId: row.team_id }
}
