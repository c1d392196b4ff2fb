import type { Pool, PoolClient } from 'pg'
import { codeRules } from '#domain/institutions/judge-code-request.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AttemptVerdict, CodeRequestDigests, CodeKey, NewCode, PaceVerdict } from '#ports/institutions.ts'
import { isSuspendedAddress } from '../organizations/institution-people.sql.ts'
import { type InstitutionTermsRow, readTerms, termsColumns } from './institution-keys.sql.ts'

interface CodeKeyRow extends InstitutionTermsRow {
  id: string
  enabled: boolean
  organization_id: string
  organization_name: string
  organization_suspended: boolean
  member_suspended: boolean
}

export async function findCodeKey(
  pool: Pool,
  { keyHash, address }: { keyHash: string; address: string },
): Promise<CodeKey | null> {
  const text = `SELECT k.id, k.enabled, o.id AS organization_id, o.name AS organization_name,
      o.suspended_at IS NOT NULL AS organization_suspended, ${isSuspendedAddress('o.id', '$2')} AS member_suspended,
      ${termsColumns}
    FROM api_keys k
    JOIN institution_keys i ON i.key_id = k.id
    JOIN organizations o ON o.id = k.organization_id
    WHERE k.secret_hash = decode($1, 'hex') AND k.type = 'institution' AND k.revoked_at IS NULL`
  const { rows } = await pool.query<CodeKeyRow>({ name: 'find-code-key', text, values: [keyHash, address] })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    enabled: row.enabled,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    organizationSuspended: row.organization_suspended,
    memberSuspended: row.member_suspended,
    terms: readTerms(row),
  }
}

interface PaceRow {
  verdict: 'admitted' | 'rate_limited' | 'cooldown'
  wait_s: number
}

export async function admitCodeRequest(pool: Pool, request: CodeRequestDigests): Promise<PaceVerdict> {
  const text = `SELECT verdict, wait_s FROM admit_code_request($1, decode($2, 'hex'), $3,
    $4, make_interval(secs => $5), $6, make_interval(secs => $7), make_interval(secs => $8))`
  const { perClient, perKey, cooldownS } = codeRules
  const paces = [perClient.max, perClient.windowS, perKey.max, perKey.windowS, cooldownS]
  const { rows } = await pool.query<PaceRow>({
    name: 'admit-code-request',
    text,
    values: [request.client, request.keyHash, request.subject, ...paces],
  })
  const [row] = rows
  if (row === undefined) throw new Error('admit_code_request returned no verdict')
  return row.verdict === 'admitted'
    ? { admitted: true }
    : { admitted: false, reason: row.verdict, waitS: Math.max(1, row.wait_s) }
}

export async function admitCodeAttempt(
  pool: Pool,
  { client, keyHash }: Omit<CodeRequestDigests, 'subject'>,
): Promise<AttemptVerdict> {
  const text = `SELECT attempt_id, wait_s FROM admit_code_attempt($1, decode($2, 'hex'),
    $3, make_interval(secs => $4), $5, make_interval(secs => $6))`
  const { wrongPerClient, wrongPerKey } = codeRules
  const { rows } = await pool.query<{ attempt_id: string | null; wait_s: number }>({
    name: 'admit-code-attempt',
    text,
    values: [client, keyHash, wrongPerClient.max, wrongPerClient.windowS, wrongPerKey.max, wrongPerKey.windowS],
  })
  const [row] = rows
  if (row === undefined) throw new Error('admit_code_attempt returned no verdict')
  if (row.attempt_id !== null) return { admitted: true, attemptId: row.attempt_id }
  return { admitted: false, waitS: Math.max(1, row.wait_s) }
}

export async function forgiveCodeAttempt(pool: Pool, attemptId: string): Promise<void> {
  const text = 'DELETE FROM institution_wrong_codes WHERE id = $1'
  await pool.query({ name: 'forgive-code-attempt', text, values: [attemptId] })
}

export async function hasCode(pool: Pool, subject: Buffer): Promise<boolean> {
  const text = 'SELECT 1 FROM institution_codes WHERE subject = $1'
  const { rows } = await pool.query({ name: 'has-code', text, values: [subject] })
  return rows.length > 0
}

/** One row per subject, so a new code replaces the old one. */
export async function putCode(pool: Pool, { subject, keyId, codeHmac, ttlS }: NewCode): Promise<void> {
  const text = `INSERT INTO institution_codes (subject, key_id, code_hmac, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4))
    ON CONFLICT (subject) DO UPDATE SET key_id = excluded.key_id, code_hmac = excluded.code_hmac, attempts = 0,
      created_at = now(), expires_at = excluded.expires_at`
  await pool.query({ name: 'put-code', text, values: [subject, keyId, codeHmac, ttlS] })
}

/** Returns null if there is no code or no attempt is left. */
export async function countAttempt(
  pool: Pool,
  subject: Buffer,
): Promise<{ codeHmac: Buffer; isLive: boolean; isLast: boolean } | null> {
  // The row lock serializes parallel attempts, and each sees the count of the one before it.
  const text = `UPDATE institution_codes SET attempts = attempts + 1 WHERE subject = $1 AND attempts < $2
    RETURNING code_hmac, expires_at > now() AS is_live, attempts = $2 AS is_last`
  const { rows } = await pool.query<{ code_hmac: Buffer; is_live: boolean; is_last: boolean }>({
    name: 'count-attempt',
    text,
    values: [subject, codeRules.attemptsMax],
  })
  const [row] = rows
  return row === undefined ? null : { codeHmac: row.code_hmac, isLive: row.is_live, isLast: row.is_last }
}

/** The request that deletes a code gets it. All others find no code. */
export async function takeCode(
  client: PoolClient,
  { subject, codeHmac }: { subject: Buffer; codeHmac: Buffer },
): Promise<Uuid | null> {
  const text = `DELETE FROM institution_codes
    WHERE subject = $1 AND code_hmac = $2 AND key_id IS NOT NULL AND expires_at > now() RETURNING key_id`
  const { rows } = await client.query<{ key_id: string }>(text, [subject, codeHmac])
  return rows[0]?.key_id ?? null
}

/** Deletes expired rows, up to a maximum of each kind, and returns how many. */
export async function purgeInstitutions(pool: Pool, atMost: number): Promise<number> {
  // Requests and guesses are judged over an hour, codes live a day at most, and administrators can see sessions of the
  // last month.
  const text = `WITH requests AS (
      DELETE FROM institution_code_requests WHERE id IN (
        SELECT id FROM institution_code_requests WHERE at < now() - interval '2 hours' LIMIT $1) RETURNING 1
    ), guesses AS (
      DELETE FROM institution_wrong_codes WHERE id IN (
        SELECT id FROM institution_wrong_codes WHERE at < now() - interval '2 hours' LIMIT $1) RETURNING 1
    ), codes AS (
      DELETE FROM institution_codes WHERE subject IN (
        SELECT subject FROM institution_codes WHERE created_at < now() - interval '25 hours' LIMIT $1) RETURNING 1
    ), sessions AS (
      DELETE FROM institution_sessions WHERE id IN (
        SELECT id FROM institution_sessions WHERE expires_at < now() - interval '30 days' LIMIT $1) RETURNING 1)
    SELECT ((SELECT count(*) FROM requests) + (SELECT count(*) FROM guesses) + (SELECT count(*) FROM codes) + (SELECT count(*) FROM sessions))::integer AS purged`
  const { rows } = await pool.query<{ purged: number }>(text, [atMost])
  return rows[0]?.purged ?? 0
}
