import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'DELETE FROM members WHERE organization_id = $1 AND id = $2'

export async function deleteMember(
  client: PoolClient,
  { organizationId, memberId }: { organizationId: Uuid; memberId: Uuid },
): Promise<void> {
  await client.query(text, [organizationId, memberId])
}
