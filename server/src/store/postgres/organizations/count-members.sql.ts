import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT count(*)::integer AS members, (count(*) FILTER (WHERE role = 'org_admin'))::integer AS admins
  FROM members WHERE organization_id = $1`

export async function countMembers(
  client: PoolClient,
  organizationId: Uuid,
): Promise<{ members: number; admins: number }> {
  const { rows } = await client.query<{ members: number; admins: number }>(text, [organizationId])
  return rows[0] ?? { members: 0, admins: 0 }
}
