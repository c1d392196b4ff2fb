import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { NewScimToken, OpenScimToken, ScimToken } from '#ports/provisioning.ts'

interface Row {
  id: string
  name: string
  prefix: string
  suffix: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

const columns = 'id, name, prefix, suffix, created_at, expires_at, last_used_at'

export async function listTokens(pool: Pool, organizationId: Uuid): Promise<ScimToken[]> {
  const text = `SELECT ${columns} FROM scim_tokens WHERE organization_id = $1 AND revoked_at IS NULL
    ORDER BY created_at DESC, id DESC`
  const { rows } = await pool.query<Row>(text, [organizationId])
  return rows.map(readToken)
}

/** A token of a suspended organization is not usable. The time of use is written once a minute at most. */
export async function findUsableToken(
  pool: Pool,
  { secretHash, nowMs }: { secretHash: string; nowMs: number },
): Promise<OpenScimToken | null> {
  const text = `WITH used AS (
      UPDATE scim_tokens SET last_used_at = to_timestamp($2 / 1000.0)
      WHERE secret_hash = decode($1, 'hex') AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > to_timestamp($2 / 1000.0)) AND (last_used_at IS NULL OR last_used_at < to_timestamp($2 / 1000.0 - 60))
    )
    SELECT t.id, t.name, t.organization_id, w.id AS wallet_id FROM scim_tokens t
    JOIN organizations o ON o.id = t.organization_id AND o.suspended_at IS NULL
    JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = o.id
    WHERE t.secret_hash = decode($1, 'hex') AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > to_timestamp($2 / 1000.0))`
  const { rows } = await pool.query<{ id: string; name: string; organization_id: string; wallet_id: string }>({
    name: 'find-scim-token',
    text,
    values: [secretHash, nowMs],
  })
  const [row] = rows
  if (row === undefined) return null
  return { id: row.id, name: row.name, organizationId: row.organization_id, walletId: row.wallet_id }
}

export async function countTokens(client: PoolClient, organizationId: Uuid): Promise<number> {
  const text = `SELECT count(*)::integer AS tokens FROM scim_tokens
    WHERE organization_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
  const { rows } = await client.query<{ tokens: number }>(text, [organizationId])
  return rows[0]?.tokens ?? 0
}

export async function insertToken(client: PoolClient, token: NewScimToken): Promise<ScimToken> {
  const text = `INSERT INTO scim_tokens (id, organization_id, name, secret_hash, prefix, suffix, expires_at)
    VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6, to_timestamp($7 / 1000.0)) RETURNING ${columns}`
  const { id, organizationId, name, secretHash, prefix, suffix, expiresAtMs } = token
  const values = [id, organizationId, name, secretHash, prefix, suffix, expiresAtMs]
  const { rows } = await client.query<Row>(text, values)
  const [row] = rows
  if (row === undefined) throw new Error('an insert must return its row')
  return readToken(row)
}

/** A token that can still be used. Locked until the transaction ends. */
export async function lockUsableToken(
  client: PoolClient,
  { organizationId, tokenId, nowMs }: { organizationId: Uuid; tokenId: Uuid; nowMs: number },
): Promise<ScimToken | null> {
  const text = `SELECT ${columns} FROM scim_tokens WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > to_timestamp($3 / 1000.0)) FOR UPDATE`
  const { rows } = await client.query<Row>(text, [organizationId, tokenId, nowMs])
  const [row] = rows
  return row === undefined ? null : readToken(row)
}

export async function expireToken(client: PoolClient, tokenId: Uuid, atMs: number): Promise<void> {
  const text = `UPDATE scim_tokens SET expires_at = least(expires_at, to_timestamp($2 / 1000.0)) WHERE id = $1`
  await client.query(text, [tokenId, atMs])
}

/** Returns the name of the revoked token, or null if there is none. */
export async function revokeToken(
  client: PoolClient,
  { organizationId, tokenId }: { organizationId: Uuid; tokenId: Uuid },
): Promise<string | null> {
  const text = `UPDATE scim_tokens SET revoked_at = now()
    WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING name`
  const { rows } = await client.query<{ name: string }>(text, [organizationId, tokenId])
  return rows[0]?.name ?? null
}

function readToken(row: Row): ScimToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    suffix: row.suffix,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
  }
}
