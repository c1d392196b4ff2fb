import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// The verified address of the account, and the address that the organization's directory has of the member.
const membersWithAddress = (organization: string, address: string): string => `
      SELECT m.id FROM users u JOIN members m ON m.user_id = u.id AND m.organization_id = ${organization}
      WHERE lower(u.email) = ${address} AND u.email_verified
      UNION ALL
      SELECT s.member_id FROM scim_users s WHERE s.organization_id = ${organization} AND s.email = ${address}`

/** Whether the address belongs to a suspended member of the organization. */
export const isSuspendedAddress = (organization: string, address: string): string => `EXISTS (
    SELECT FROM members m WHERE m.suspended_at IS NOT NULL AND m.id IN (${membersWithAddress(organization, address)}))`

/** The addresses with which a member may have begun institution sessions, in lower case. */
export async function listMemberAddresses(client: PoolClient, memberId: Uuid): Promise<string[]> {
  const text = `SELECT lower(u.email) AS email FROM members m JOIN users u ON u.id = m.user_id AND u.email_verified
      WHERE m.id = $1
    UNION SELECT s.email FROM scim_users s WHERE s.member_id = $1`
  const { rows } = await client.query<{ email: string }>(text, [memberId])
  return rows.map(({ email }) => email)
}

/** Ends the running sessions that these addresses have with the organization's institution keys. Returns how many. */
export async function endInstitutionSessions(
  client: PoolClient,
  organizationId: Uuid,
  addresses: readonly string[],
): Promise<number> {
  const text = `UPDATE institution_sessions SET revoked_at = now()
    WHERE key_id IN (SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND k.type = 'institution')
      AND email = ANY ($2) AND revoked_at IS NULL AND expires_at > now()`
  const { rowCount } = await client.query(text, [organizationId, addresses])
  return rowCount ?? 0
}

/**
 * Whether the person may begin a session with the key. The members' rows stay locked until the commit: a suspension
 * either is seen here, or waits and then ends the session.
 */
export async function admitsPerson(client: PoolClient, keyId: Uuid, address: string): Promise<boolean> {
  const organization = '(SELECT organization_id FROM api_keys WHERE id = $1)'
  const text = `SELECT m.suspended_at IS NOT NULL AS suspended FROM members m
    WHERE m.id = ANY (ARRAY(${membersWithAddress(organization, '$2')})) FOR SHARE`
  const { rows } = await client.query<{ suspended: boolean }>(text, [keyId, address])
  return rows.every(({ suspended }) => !suspended)
}
