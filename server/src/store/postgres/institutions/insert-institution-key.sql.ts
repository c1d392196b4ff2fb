import type { PoolClient } from 'pg'
import { institutionBounds } from '#domain/institutions/institution-terms.ts'
import type { NewInstitutionKey } from '#ports/institution-book.ts'
import { termsValues } from './institution-terms-row.ts'

const text = `WITH key AS (
    INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, organization_id, wallet_id)
    SELECT $1, decode($3, 'hex'), $4, $5, $6, 'institution', $2, w.id
    FROM wallets w WHERE w.owner_kind = 'organization' AND w.owner_id = $2
      AND (SELECT count(*) FROM api_keys WHERE organization_id = $2 AND type = 'institution' AND revoked_at IS NULL) < $7
    RETURNING id)
  INSERT INTO institution_keys (key_id, allowed_domains, session_ttl_s, verification_ttl_s, max_sessions_per_email,
    session_request_quota, session_token_quota, session_spend_quota_nano)
  SELECT key.id, $8, $9, $10, $11, $12, $13, $14 FROM key`

/** Under the organization's lock, so that parallel requests count each other's keys. False: there are enough. */
export async function insertInstitutionKey(client: PoolClient, key: NewInstitutionKey): Promise<boolean> {
  const { id, organizationId, secretHash, prefix, suffix, name } = key
  const identity = [id, organizationId, secretHash, prefix, suffix, name]
  const { rowCount } = await client.query(text, [...identity, institutionBounds.keysMax, ...termsValues(key.terms)])
  return rowCount === 1
}
