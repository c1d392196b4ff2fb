import type { Pool } from 'pg'
import { breakerOf } from '#domain/access/breaker.ts'
import type { KeyType, Principal } from '#domain/access/principal.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'

// A wallet may live on another shard, so a key without one here is still a key; its holds will be judged there.
const text = `SELECT encode(k.secret_hash, 'hex') AS secret_hash, k.id, k.name, k.type, k.enabled,
    k.user_id, k.organization_id, k.member_id, k.team_id, k.wallet_id,
    k.spend_limit_nano, k.spend_limit_period, k.allowed_cidrs, k.expires_at,
    u.suspended_at IS NOT NULL AS suspended,
    coalesce(u.breaker_enabled, false) AS breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano,
    coalesce(w.balance_nano, 0) AS balance_nano
  FROM api_keys k
  LEFT JOIN users u ON u.id = k.user_id
  LEFT JOIN wallets w ON w.id = k.wallet_id
  WHERE k.secret_hash = ANY ($1::bytea[]) AND k.revoked_at IS NULL`

/** The principals behind a batch of secret hashes, by hash; unknown and revoked keys are absent. */
export async function findPrincipals(pool: Pool, secretHashes: readonly string[]): Promise<Map<string, Principal>> {
  const hashes = secretHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<KeyRow>({ name: 'find-principals', text, values: [hashes] })
  return new Map(rows.map((row) => [row.secret_hash, readPrincipal(row)]))
}

interface KeyRow {
  secret_hash: string
  id: string
  name: string
  type: KeyType
  enabled: boolean
  user_id: string | null
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  wallet_id: string
  spend_limit_nano: string | null
  spend_limit_period: SpendPeriod | null
  allowed_cidrs: string[]
  expires_at: Date | null
  suspended: boolean
  breaker_enabled: boolean
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
  balance_nano: string
}

function readPrincipal(row: KeyRow): Principal {
  const keyLimit = readNano(row.spend_limit_nano)
  return {
    keyId: row.id,
    keyName: row.name,
    keyType: row.type,
    userId: row.user_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    walletId: row.wallet_id,
    enabled: row.enabled,
    suspended: row.suspended,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    allowedCidrs: row.allowed_cidrs,
    keyCap: keyLimit === null ? null : { limit: keyLimit, period: row.spend_limit_period },
    breaker: breakerOf({
      enabled: row.breaker_enabled,
      minute: readNano(row.breaker_minute_nano),
      hour: readNano(row.breaker_hour_nano),
    }),
    balance: nanoUsd(BigInt(row.balance_nano)),
  }
}

function readNano(amount: string | null) {
  return amount === null ? null : nanoUsd(BigInt(amount))
}
