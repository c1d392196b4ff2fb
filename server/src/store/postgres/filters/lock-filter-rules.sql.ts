import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE'

/** Whoever else changes this organization or its rules waits until the transaction is over. */
export async function lockFilterRules(client: PoolClient, organizationId: Uuid): Promise<void> {
  await client.query(text, [organizationId])
}
