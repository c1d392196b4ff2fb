import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT id FROM api_keys WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND revoked_at IS NULL`

export async function findOrganizationKeys(
  client: PoolClient,
  organizationId: Uuid,
  ids: readonly Uuid[],
): Promise<Uuid[]> {
  const { rows } = await client.query<{ id: string }>(text, [organizationId, ids])
  return rows.map(({ id }) => id)
}
