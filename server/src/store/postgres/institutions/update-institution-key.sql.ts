import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { InstitutionKeyChange } from '#ports/institution-book.ts'
import { termsValues } from './institution-terms-row.ts'

const text = `WITH key AS (
    UPDATE api_keys SET name = $2, enabled = $3, updated_at = now() WHERE id = $1 RETURNING id)
  UPDATE institution_keys i SET allowed_domains = $4, session_ttl_s = $5, verification_ttl_s = $6,
    max_sessions_per_email = $7, session_request_quota = $8, session_token_quota = $9, session_spend_quota_nano = $10
  FROM key WHERE i.key_id = key.id`

export async function updateInstitutionKey(
  client: PoolClient,
  keyId: Uuid,
  change: InstitutionKeyChange,
): Promise<void> {
  await client.query(text, [keyId, change.name, change.enabled, ...termsValues(change.terms)])
}
