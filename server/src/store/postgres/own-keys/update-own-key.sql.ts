import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { OwnKeyTerms } from '#ports/own-keys.ts'

const text = `UPDATE own_keys SET name = $3, base_url = $4, protocol = $5, fallback_mode = $6, scoped_key_ids = $7,
    enabled = $8, updated_at = now()
  WHERE organization_id = $1 AND id = $2`

/** The credential is not among what can be changed. */
export async function updateOwnKey(
  client: PoolClient,
  which: { organizationId: Uuid; id: Uuid },
  terms: OwnKeyTerms,
): Promise<void> {
  const { name, baseUrl, protocol, fallbackMode, scopedKeyIds, enabled } = terms
  const values = [which.organizationId, which.id, name, baseUrl, protocol, fallbackMode, scopedKeyIds, enabled]
  await client.query(text, values)
}
