import type { KeyAccount } from '#domain/access/key-account.ts'
import type { PoolClient } from 'pg'
import { type KeySettings, newKeySettings } from '#domain/access/key-settings.ts'
import type { KeyType } from '#domain/access/principal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyHolder, KeyReference, KeyRotation, NewKey } from '#ports/keys.ts'
import { accountValues } from '../identity/account-values.ts'
import { type KeySettingsRow, keySettingsColumns, keySettingsValues, readKeySettings } from './key-settings.sql.ts'

/**
 * Serializes the creation of an account's keys, so that their number is exact. Its wallet is not locked, so requests
 * continue.
 */
export async function lockKeyAccount(client: PoolClient, account: KeyAccount): Promise<void> {
  const text = `SELECT pg_advisory_xact_lock(1501, hashtext($1))`
  await client.query(text, [account.kind === 'user' ? account.userId : account.organizationId])
}

/**
 * Waits for a concurrent transaction that removes a member or a team: data that is read afterwards stays valid until
 * the commit.
 */
export async function lockKeyOrganization(client: PoolClient, organizationId: Uuid): Promise<void> {
  const text = 'SELECT FROM organizations WHERE id = $1 FOR SHARE'
  await client.query(text, [organizationId])
}

/** Number of unrevoked keys of the account, or of one member. Playground keys expire and do not count. */
export async function countKeys(client: PoolClient, account: KeyHolder): Promise<number> {
  const text = `SELECT count(*)::integer AS live FROM api_keys k
    WHERE k.type <> 'institution' AND k.revoked_at IS NULL AND NOT k.playground
      AND ($1::uuid IS NULL OR (k.user_id = $1 AND k.organization_id IS NULL)) AND ($2::uuid IS NULL OR k.organization_id = $2)
      AND ($3::uuid IS NULL OR (k.member_id = $3 AND k.type = 'standard'))`
  const { userId, organizationId, memberId } = accountValues(account)
  const { rows } = await client.query<{ live: number }>(text, [userId, organizationId, memberId])
  return rows[0]?.live ?? 0
}

/** Returns false if the owner has no wallet, and so does not exist, or if the member or team is gone. */
export async function insertKey(client: PoolClient, key: NewKey): Promise<boolean> {
  const settings = keySettingsValues({ ...newKeySettings, ...key })
  const first = 15
  const text = `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, organization_id, member_id, team_id,
      wallet_id, expires_at, created_by, playground, ${keySettingsColumns.join(', ')})
    SELECT $1, decode($2, 'hex'), $3, $4, $5, $6, $7, $8, $9, $10, w.id, to_timestamp($11::bigint / 1000.0), $12, $14,
      ${settings.map((_, index) => `$${first + index}`).join(', ')}
    FROM wallets w WHERE w.owner_kind = $13 AND w.owner_id = coalesce($8::uuid, $7::uuid)
      AND ($9::uuid IS NULL OR EXISTS (SELECT FROM members m
        WHERE m.id = $9 AND m.organization_id = $8 AND ($10::uuid IS NULL OR m.team_id = $10)))
      AND ($10::uuid IS NULL OR EXISTS (SELECT FROM teams t WHERE t.id = $10 AND t.organization_id = $8))`
  const { owner } = key
  const place = owner.kind === 'organization' ? owner : { organizationId: null, memberId: null, teamId: null }
  const { rowCount } = await client.query(text, [
    key.id,
    key.secretHash,
    key.prefix,
    key.suffix,
    key.name,
    key.type,
    owner.userId,
    place.organizationId,
    place.memberId,
    place.teamId,
    key.expiresAtMs,
    key.createdBy,
    owner.kind,
    key.playground ?? false,
    ...settings,
  ])
  return rowCount === 1
}

/** Ends a person's oldest playground keys beyond a maximum and returns the hashes of their secrets. */
export async function endPlaygroundKeys(
  client: PoolClient,
  { userId, kept, nowMs }: { userId: Uuid; kept: number; nowMs: number },
): Promise<string[]> {
  const text = `UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now()
    WHERE id IN (SELECT id FROM api_keys
      WHERE user_id = $1 AND playground AND revoked_at IS NULL AND expires_at > to_timestamp($3::bigint / 1000.0)
      ORDER BY id DESC OFFSET $2)
    RETURNING encode(secret_hash, 'hex') AS secret_hash`
  const { rows } = await client.query<{ secret_hash: string }>(text, [userId, kept, nowMs])
  return rows.map((row) => row.secret_hash)
}

interface Row extends KeySettingsRow {
  name: string
  type: KeyType
  user_id: string | null
  organization_id: string | null
  secret_hash: string
  former_hash: string | null
  suffix: string
}

interface LockedKey {
  name: string
  type: KeyType
  userId: Uuid | null
  organizationId: Uuid | null
  secretHashes: readonly string[]
  suffix: string
  settings: KeySettings
}

/** A key that is not revoked, locked until the transaction ends. Accounts cannot change playground keys. */
export async function lockKey(client: PoolClient, { keyId, account }: KeyReference): Promise<LockedKey | null> {
  const text = `SELECT k.name, k.type, k.user_id, k.organization_id, encode(k.secret_hash, 'hex') AS secret_hash,
      encode(k.former_hash, 'hex') AS former_hash, k.suffix, ${keySettingsColumns.join(', ')}
    FROM api_keys k
    WHERE k.id = $1 AND k.revoked_at IS NULL
      AND ($2::uuid IS NULL OR (k.user_id = $2 AND k.organization_id IS NULL AND k.type <> 'institution' AND NOT k.playground))
      AND ($3::uuid IS NULL OR (k.organization_id = $3 AND k.type <> 'institution' AND NOT k.playground))
      AND ($4::uuid IS NULL OR (k.member_id = $4 AND k.type = 'standard'))
    FOR NO KEY UPDATE`
  const { userId, organizationId, memberId } = accountValues(account)
  const { rows } = await client.query<Row>(text, [keyId, userId, organizationId, memberId])
  const [row] = rows
  if (row === undefined) return null
  return {
    name: row.name,
    type: row.type,
    userId: row.user_id,
    organizationId: row.organization_id,
    secretHashes: row.former_hash === null ? [row.secret_hash] : [row.secret_hash, row.former_hash],
    suffix: row.suffix,
    settings: readKeySettings(row),
  }
}

export async function updateKey(client: PoolClient, keyId: Uuid, settings: KeySettings): Promise<void> {
  const changes = keySettingsColumns.map((column, index) => `${column} = $${index + 2}`)
  const text = `UPDATE api_keys SET ${changes.join(', ')}, updated_at = now() WHERE id = $1`
  await client.query(text, [keyId, ...keySettingsValues(settings)])
}

export async function updateKeySecret(client: PoolClient, keyId: Uuid, rotation: KeyRotation): Promise<void> {
  const text = `UPDATE api_keys SET secret_hash = decode($2, 'hex'), prefix = $3, suffix = $4,
      former_hash = CASE WHEN $5::bigint IS NOT NULL THEN secret_hash END, former_until = to_timestamp($5::bigint / 1000.0),
      updated_at = now()
    WHERE id = $1`
  const { secretHash, prefix, suffix, formerUntilMs } = rotation
  await client.query(text, [keyId, secretHash, prefix, suffix, formerUntilMs])
}

export async function markKeyRevoked(client: PoolClient, keyId: Uuid): Promise<void> {
  // The row stays, because the records of the key's requests refer to it.
  const text = 'UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now() WHERE id = $1'
  await client.query(text, [keyId])
}
