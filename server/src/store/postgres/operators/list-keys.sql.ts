import type { Pool } from 'pg'
import type { KeyType } from '#domain/access/principal.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyListing } from '#ports/key-book.ts'

const text = `SELECT k.id, k.name, k.type, k.prefix, k.suffix, k.enabled, k.revoked_at IS NOT NULL AS revoked,
    k.spend_limit_nano, k.spend_limit_period, k.allowed_cidrs, k.expires_at, k.created_at,
    max(d.last_used_at) AS last_used_at, coalesce(sum(d.spent_nano), 0) AS spent_nano, coalesce(sum(d.requests), 0) AS requests
  FROM api_keys k LEFT JOIN key_usage_days d ON d.key_id = k.id
  WHERE k.user_id = $1 GROUP BY k.id ORDER BY k.id`

interface Row {
  id: string
  name: string
  type: KeyType
  prefix: string
  suffix: string
  enabled: boolean
  revoked: boolean
  spend_limit_nano: string | null
  spend_limit_period: SpendPeriod | null
  allowed_cidrs: string[]
  expires_at: Date | null
  created_at: Date
  last_used_at: Date | null
  spent_nano: string
  requests: string
}

/** All keys of a user, revoked ones included, the oldest first. */
export async function listKeys(pool: Pool, userId: Uuid): Promise<KeyListing[]> {
  const { rows } = await pool.query<Row>(text, [userId])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type,
    prefix: row.prefix,
    suffix: row.suffix,
    enabled: row.enabled,
    revoked: row.revoked,
    limit: row.spend_limit_nano === null ? null : nanoUsd(BigInt(row.spend_limit_nano)),
    period: row.spend_limit_period,
    allowedCidrs: row.allowed_cidrs,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    spent: nanoUsd(BigInt(row.spent_nano)),
    requests: Number(row.requests),
  }))
}
