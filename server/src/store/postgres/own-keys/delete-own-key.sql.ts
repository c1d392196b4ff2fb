import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'DELETE FROM own_keys WHERE organization_id = $1 AND id = $2'

/** Its mappings go with it. */
export async function deleteOwnKey(client: PoolClient, which: { organizationId: Uuid; id: Uuid }): Promise<void> {
  await client.query(text, [which.organizationId, which.id])
}
