import type { PoolClient } from 'pg'
import type { NewKey } from '#ports/key-book.ts'

const text = `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, organization_id, member_id, team_id,
    wallet_id, spend_limit_nano, spend_limit_period, allowed_cidrs, expires_at, created_by, free_fallback)
  SELECT $1, decode($2, 'hex'), $3, $4, $5, $6, $7, $8, $9, $10, w.id, $11, $12, $13, to_timestamp($14::bigint / 1000.0), $15, $17
  FROM wallets w WHERE w.owner_kind = $16 AND w.owner_id = coalesce($8::uuid, $7::uuid)
    AND ($9::uuid IS NULL OR EXISTS (SELECT FROM members m
      WHERE m.id = $9 AND m.organization_id = $8 AND ($10::uuid IS NULL OR m.team_id = $10)))
    AND ($10::uuid IS NULL OR EXISTS (SELECT FROM teams t WHERE t.id = $10 AND t.organization_id = $8))`

/** False when the owner has no wallet, which is to say that there is no such owner, or when the member or team has gone. */
export async function insertKey(client: PoolClient, key: NewKey): Promise<boolean> {
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
    key.limit,
    key.period,
    key.allowedCidrs,
    key.expiresAtMs,
    key.createdBy,
    owner.kind,
    key.freeFallback ?? true,
  ])
  return rowCount === 1
}
