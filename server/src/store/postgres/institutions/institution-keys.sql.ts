import type { Pool, PoolClient } from 'pg'
import { institutionBounds, type InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import type { Uuid } from '#lib/uuid.ts'
import type {
  InstitutionKey,
  InstitutionKeyChange,
  InstitutionKeyReference,
  NewInstitutionKey,
} from '#ports/institutions.ts'
import { readNullableNano } from '../column-values.ts'

/** The columns of `institution_keys` (`i`) that define who is admitted, and their parser. */
export const termsColumns = `i.allowed_domains, i.session_ttl_s, i.verification_ttl_s, i.max_sessions_per_email,
    i.codes_per_network, i.codes_per_hour, i.session_request_quota, i.session_token_quota, i.session_spend_quota_nano,
    i.person_month_quota_nano`

export interface InstitutionTermsRow {
  allowed_domains: string[]
  session_ttl_s: number
  verification_ttl_s: number
  max_sessions_per_email: number
  codes_per_network: number
  codes_per_hour: number
  session_request_quota: string | null
  session_token_quota: string | null
  session_spend_quota_nano: string | null
  person_month_quota_nano: string | null
}

export function readTerms(row: InstitutionTermsRow): InstitutionTerms {
  return {
    allowedDomains: row.allowed_domains,
    sessionTtlS: row.session_ttl_s,
    verificationTtlS: row.verification_ttl_s,
    maxSessionsPerEmail: row.max_sessions_per_email,
    codesPerNetwork: row.codes_per_network,
    codesPerHour: row.codes_per_hour,
    requestQuota: readCount(row.session_request_quota),
    tokenQuota: readCount(row.session_token_quota),
    spendQuota: readNullableNano(row.session_spend_quota_nano),
    personMonthQuota: readNullableNano(row.person_month_quota_nano),
  }
}

/** In the order of `termsColumns`. */
function termsValues(terms: InstitutionTerms): unknown[] {
  return [
    [...terms.allowedDomains],
    terms.sessionTtlS,
    terms.verificationTtlS,
    terms.maxSessionsPerEmail,
    terms.codesPerNetwork,
    terms.codesPerHour,
    terms.requestQuota,
    terms.tokenQuota,
    terms.spendQuota,
    terms.personMonthQuota,
  ]
}

function readCount(count: string | null): number | null {
  return count === null ? null : Number(count)
}

/** A key (`k`) with its terms (`i`), and their parser. */
const keyColumns = `k.id, k.name, k.enabled, k.prefix, k.suffix, k.created_at, ${termsColumns},
    (SELECT count(*) FROM institution_sessions s
      WHERE s.key_id = k.id AND s.revoked_at IS NULL AND s.expires_at > now())::integer AS active_sessions`

const keyTables = 'api_keys k JOIN institution_keys i ON i.key_id = k.id'

interface InstitutionKeyRow extends InstitutionTermsRow {
  id: string
  name: string
  enabled: boolean
  prefix: string
  suffix: string
  created_at: Date
  active_sessions: number
}

function readInstitutionKey(row: InstitutionKeyRow): InstitutionKey {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    terms: readTerms(row),
    prefix: row.prefix,
    suffix: row.suffix,
    createdAtMs: row.created_at.getTime(),
    activeSessions: row.active_sessions,
  }
}

/** With `lock`, no other transaction changes the key until this one ends. */
export async function findInstitutionKey(
  connection: Pool | PoolClient,
  { organizationId, keyId }: InstitutionKeyReference,
  lock?: 'lock',
): Promise<InstitutionKey | null> {
  const text = `SELECT ${keyColumns} FROM ${keyTables}
    WHERE k.organization_id = $1 AND k.id = $2 AND k.type = 'institution' AND k.revoked_at IS NULL`
  const statement = lock === undefined ? text : `${text} FOR UPDATE OF k, i`
  const { rows } = await connection.query<InstitutionKeyRow>(statement, [organizationId, keyId])
  return rows[0] === undefined ? null : readInstitutionKey(rows[0])
}

export async function listInstitutionKeys(pool: Pool, organizationId: Uuid): Promise<InstitutionKey[]> {
  const text = `SELECT ${keyColumns} FROM ${keyTables}
    WHERE k.organization_id = $1 AND k.type = 'institution' AND k.revoked_at IS NULL ORDER BY k.id`
  const { rows } = await pool.query<InstitutionKeyRow>(text, [organizationId])
  return rows.map(readInstitutionKey)
}

/**
 * Requires the organization's lock, so that parallel requests count each other's keys. Returns false if the limit is
 * reached.
 */
export async function insertInstitutionKey(client: PoolClient, key: NewInstitutionKey): Promise<boolean> {
  const text = `WITH key AS (
      INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, organization_id, wallet_id)
      SELECT $1, decode($3, 'hex'), $4, $5, $6, 'institution', $2, w.id
      FROM wallets w WHERE w.owner_kind = 'organization' AND w.owner_id = $2
        AND (SELECT count(*) FROM api_keys WHERE organization_id = $2 AND type = 'institution' AND revoked_at IS NULL) < $7
      RETURNING id)
    INSERT INTO institution_keys (key_id, allowed_domains, session_ttl_s, verification_ttl_s, max_sessions_per_email,
      codes_per_network, codes_per_hour, session_request_quota, session_token_quota, session_spend_quota_nano,
      person_month_quota_nano)
    SELECT key.id, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 FROM key`
  const { id, organizationId, secretHash, prefix, suffix, name } = key
  const identity = [id, organizationId, secretHash, prefix, suffix, name]
  const { rowCount } = await client.query(text, [...identity, institutionBounds.keysMax, ...termsValues(key.terms)])
  return rowCount === 1
}

export async function updateInstitutionKey(
  client: PoolClient,
  keyId: Uuid,
  change: InstitutionKeyChange,
): Promise<void> {
  const text = `WITH key AS (
      UPDATE api_keys SET name = $2, enabled = $3, updated_at = now() WHERE id = $1 RETURNING id)
    UPDATE institution_keys i SET allowed_domains = $4, session_ttl_s = $5, verification_ttl_s = $6,
      max_sessions_per_email = $7, codes_per_network = $8, codes_per_hour = $9, session_request_quota = $10,
      session_token_quota = $11, session_spend_quota_nano = $12, person_month_quota_nano = $13
    FROM key WHERE i.key_id = key.id`
  await client.query(text, [keyId, change.name, change.enabled, ...termsValues(change.terms)])
}

export async function revokeInstitutionKey(client: PoolClient, keyId: Uuid): Promise<void> {
  const text = 'UPDATE api_keys SET revoked_at = now(), updated_at = now() WHERE id = $1'
  await client.query(text, [keyId])
}
