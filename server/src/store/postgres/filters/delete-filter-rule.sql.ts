import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'DELETE FROM filter_rules WHERE organization_id = $1 AND id = $2'

export async function deleteFilterRule(client: PoolClient, organizationId: Uuid, ruleId: Uuid): Promise<void> {
  await client.query(text, [organizationId, ruleId])
}
