import type { PoolClient } from 'pg'
import type { ScimProfile } from '#domain/provisioning/scim-profile.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NewAccount, ProvisionedMember, TakenField } from '#ports/provisioning.ts'

export async function findProvisioned(client: PoolClient, memberId: Uuid): Promise<ProvisionedMember | null> {
  const text = 'SELECT created_account, placed_by FROM scim_users WHERE member_id = $1'
  const { rows } = await client.query<{ created_account: boolean; placed_by: string | null }>(text, [memberId])
  const [row] = rows
  return row === undefined ? null : { createdAccount: row.created_account, placedBy: row.placed_by }
}

/** Members whom the directory does not know have the address of their account as their user name. */
export async function findTakenUser(
  client: PoolClient,
  organizationId: Uuid,
  {
    userName,
    externalId,
    exceptMemberId,
  }: Pick<ScimProfile, 'userName' | 'externalId'> & { exceptMemberId: Uuid | null },
): Promise<TakenField> {
  const text = `SELECT EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND lower(s.user_name) = lower($2)
        AND s.member_id IS DISTINCT FROM $4)
      OR EXISTS (SELECT FROM users u JOIN members m ON m.user_id = u.id AND m.organization_id = $1
        WHERE lower(u.email) = lower($2) AND m.id IS DISTINCT FROM $4
          AND NOT EXISTS (SELECT FROM scim_users s WHERE s.member_id = m.id)) AS name_taken,
    EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND s.external_id = $3
        AND s.member_id IS DISTINCT FROM $4) AS id_taken`
  const values = [organizationId, userName, externalId, exceptMemberId]
  const { rows } = await client.query<{ name_taken: boolean; id_taken: boolean }>(text, values)
  const [row] = rows
  if (row?.id_taken === true) return 'externalId'
  return row?.name_taken === true ? 'userName' : null
}

export async function findAccount(
  client: PoolClient,
  email: string,
): Promise<{ userId: Uuid; isVerified: boolean } | null> {
  const text = 'SELECT id, email_verified FROM users WHERE lower(email) = lower($1)'
  const { rows } = await client.query<{ id: string; email_verified: boolean }>(text, [email])
  const [row] = rows
  return row === undefined ? null : { userId: row.id, isVerified: row.email_verified }
}

/** An address in the sign-in tables alone belongs to a person who has not finished signing up. */
export async function insertAccount(client: PoolClient, account: NewAccount): Promise<boolean> {
  const text = `WITH signer AS (
      INSERT INTO auth_users (id, name, email, email_verified) VALUES ($1, $4, lower($3), true)
      ON CONFLICT DO NOTHING RETURNING id, name, email
    ), made AS (
      INSERT INTO users (id, email, name, email_verified) SELECT id, email, name, true FROM signer
      ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO wallets (id, owner_kind, owner_id) SELECT $2, 'user', made.id FROM made`
  const { rowCount } = await client.query(text, [account.userId, account.walletId, account.email, account.name])
  return rowCount === 1
}

/** A wallet that ever had credit is money of the account's own. */
export async function isManaged(client: PoolClient, userId: Uuid): Promise<boolean> {
  const text = `SELECT (SELECT count(*) FROM members WHERE user_id = $1) = 1
      AND NOT EXISTS (SELECT FROM members WHERE user_id = $1 AND role = 'org_admin')
      AND NOT EXISTS (SELECT FROM auth_accounts WHERE user_id = $1)
      AND NOT EXISTS (SELECT FROM auth_passkeys WHERE user_id = $1)
      AND NOT EXISTS (SELECT FROM wallets WHERE owner_kind = 'user' AND owner_id = $1 AND credited_nano <> 0) AS managed`
  const { rows } = await client.query<{ managed: boolean }>(text, [userId])
  return rows[0]?.managed === true
}

/** Changes both tables of an account, or neither if the address is taken. */
export async function updateAccount(
  client: PoolClient,
  userId: Uuid,
  { email, name }: { email: string; name: string },
): Promise<boolean> {
  const text = `WITH free AS (
      SELECT 1 WHERE NOT EXISTS (SELECT FROM users WHERE lower(email) = $2 AND id <> $1)
        AND NOT EXISTS (SELECT FROM auth_users WHERE email = $2 AND id <> $1)
    ), links AS (
      -- A link in the old mailbox must not set a password.
      DELETE FROM auth_verifications USING free WHERE strpos(value, $1::text) > 0
    ), signer AS (
      UPDATE auth_users SET email = $2, name = $3, updated_at = now() FROM free WHERE id = $1
    )
    UPDATE users SET email = $2, name = $3 FROM free WHERE id = $1`
  const { rowCount } = await client.query(text, [userId, email, name])
  return rowCount === 1
}

export async function upsertProfile(
  client: PoolClient,
  organizationId: Uuid,
  { memberId, profile, createdAccount }: { memberId: Uuid; profile: ScimProfile; createdAccount: boolean },
): Promise<void> {
  const text = `INSERT INTO scim_users (member_id, organization_id, user_name, external_id, email, display_name,
      given_name, family_name, formatted, created_account)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (member_id) DO UPDATE SET user_name = $3, external_id = $4, email = $5, display_name = $6,
      given_name = $7, family_name = $8, formatted = $9, updated_at = now()`
  const { userName, externalId, email, displayName, givenName, familyName, formatted } = profile
  const names = [displayName, givenName, familyName, formatted]
  await client.query(text, [memberId, organizationId, userName, externalId, email, ...names, createdAccount])
}

export async function updatePlacement(client: PoolClient, memberId: Uuid, placedBy: string | null): Promise<void> {
  const text = 'UPDATE scim_users SET placed_by = $2 WHERE member_id = $1'
  await client.query(text, [memberId, placedBy])
}
