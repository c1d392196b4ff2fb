import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT FROM organizations WHERE id = $1 FOR SHARE'

/** Whoever removes a member or a team at the same moment is waited for: what is read afterwards stays until the commit. */
export async function lockKeyOrganization(client: PoolClient, organizationId: Uuid): Promise<void> {
  await client.query(text, [organizationId])
}
