import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'DELETE FROM teams WHERE organization_id = $1 AND id = $2'

/** Members refer to their team and lose the reference with it. */
export async function deleteTeam(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<void> {
  await client.query(text, [organizationId, teamId])
}
