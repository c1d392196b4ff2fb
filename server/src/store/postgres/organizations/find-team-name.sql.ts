import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT 1 FROM teams
  WHERE organization_id = $1 AND lower(name) = lower($2) AND ($3::uuid IS NULL OR id <> $3)`

/** Whether another team has the name. */
export async function findTeamName(
  client: PoolClient,
  { organizationId, name, exceptTeamId }: { organizationId: Uuid; name: string; exceptTeamId: Uuid | null },
): Promise<boolean> {
  const { rowCount } = await client.query(text, [organizationId, name, exceptTeamId])
  return rowCount !== 0
}
