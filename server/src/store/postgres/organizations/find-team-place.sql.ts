import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT id FROM teams WHERE organization_id = $1 AND id = $2'

export async function findTeamPlace(
  pool: Pool,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<{ id: Uuid } | null> {
  const { rows } = await pool.query<{ id: string }>(text, [organizationId, teamId])
  return rows[0] ?? null
}
