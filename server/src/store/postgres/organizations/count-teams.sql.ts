import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT count(*)::integer AS teams FROM teams WHERE organization_id = $1'

export async function countTeams(client: PoolClient, organizationId: Uuid): Promise<number> {
  const { rows } = await client.query<{ teams: number }>(text, [organizationId])
  return rows[0]?.teams ?? 0
}
