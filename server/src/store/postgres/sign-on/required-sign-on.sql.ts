import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The organization that requires the user `u` to sign in through its identity provider: the address is in one of its
 * verified domains. Its administrators are exempt, so that they can repair a broken connection.
 */
export const requiredSignOn = `(SELECT d.organization_id FROM organization_domains d
      JOIN organizations o ON o.id = d.organization_id AND o.suspended_at IS NULL
      JOIN sign_on_connections c ON c.organization_id = d.organization_id AND c.enforced
      WHERE d.domain = split_part(lower(u.email), '@', 2) AND d.verified_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM members m WHERE m.organization_id = d.organization_id AND m.user_id = u.id AND m.role = 'org_admin'
          AND m.suspended_at IS NULL))`

/** Null if the person can sign in in any way. */
export async function findRequiredSignOn(pool: Pool, userId: Uuid): Promise<Uuid | null> {
  const text = `SELECT ${requiredSignOn} AS organization_id FROM users u WHERE u.id = $1`
  const statement = { name: 'find-required-sign-on', text, values: [userId] }
  const { rows } = await pool.query<{ organization_id: string | null }>(statement)
  return rows[0]?.organization_id ?? null
}

/** Deletes a session that began in another way than the one that is required by now. */
export async function endOtherSession(pool: Pool, token: string): Promise<void> {
  const text = `DELETE FROM auth_sessions s USING users u WHERE s.token = $1 AND u.id = s.user_id
    AND ${requiredSignOn} <> coalesce(s.sign_on_organization_id, s.id)`
  await pool.query({ name: 'end-other-session', text, values: [token] })
}
