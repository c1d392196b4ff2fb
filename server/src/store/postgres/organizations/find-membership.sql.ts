import type { Pool } from 'pg'
import type { Membership } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT id, role, team_id FROM members WHERE organization_id = $1 AND user_id = $2'

export async function findMembership(
  pool: Pool,
  { organizationId, userId }: { organizationId: Uuid; userId: Uuid },
): Promise<Membership | null> {
  const { rows } = await pool.query<{ id: string; role: Role; team_id: string | null }>({
    name: 'find-membership',
    text,
    values: [organizationId, userId],
  })
  const [row] = rows
  if (row === undefined) return null
  return { organizationId, memberId: row.id, userId, role: row.role, teamId: row.team_id }
}
