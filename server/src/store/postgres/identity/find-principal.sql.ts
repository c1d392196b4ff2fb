import type { Pool } from 'pg'
import type { Principal } from '#domain/access/principal.ts'
import { type PrincipalRow, readPrincipal } from './read-principal.ts'

/** What every way to a principal reads: a key (`k`) with its user, organization, member, team and wallet. */
export const principalColumns = `k.id, k.name, k.type, k.enabled,
    k.user_id, k.organization_id, k.member_id, coalesce(k.team_id, m.team_id) AS team_id, k.wallet_id,
    k.spend_limit_nano, k.spend_limit_period, k.allowed_cidrs, k.free_fallback, k.expires_at,
    u.suspended_at IS NOT NULL OR o.suspended_at IS NOT NULL AS suspended,
    u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano,
    o.billing_mode, o.weekly_budget_nano, o.monthly_budget_nano, o.allowed_models,
    o.breaker_enabled AS o_breaker_enabled, o.breaker_minute_nano AS o_breaker_minute_nano,
    o.breaker_hour_nano AS o_breaker_hour_nano,
    t.monthly_budget_nano AS t_monthly_budget_nano, t.allowed_models AS t_allowed_models,
    t.breaker_enabled AS t_breaker_enabled, t.breaker_minute_nano AS t_breaker_minute_nano,
    t.breaker_hour_nano AS t_breaker_hour_nano,
    m.monthly_budget_nano AS m_monthly_budget_nano, m.allowed_models AS m_allowed_models,
    m.breaker_enabled AS m_breaker_enabled, m.breaker_minute_nano AS m_breaker_minute_nano,
    m.breaker_hour_nano AS m_breaker_hour_nano,
    coalesce(w.balance_nano, 0) AS balance_nano`

// A wallet may live on another shard, so a key without one here is still a key; its holds will be judged there.
// A member or team that is gone takes its keys with it, and so does a member who has left the key's team, whatever else was
// forgotten.
export const principalTables = `api_keys k
  LEFT JOIN users u ON u.id = k.user_id
  LEFT JOIN organizations o ON o.id = k.organization_id
  LEFT JOIN members m ON m.id = k.member_id
  LEFT JOIN teams t ON t.id = coalesce(k.team_id, m.team_id)
  LEFT JOIN wallets w ON w.id = k.wallet_id`

export const principalIsWhole = `k.revoked_at IS NULL AND (k.member_id IS NULL OR m.id IS NOT NULL)
    AND (k.team_id IS NULL OR (t.id IS NOT NULL AND (m.id IS NULL OR m.team_id = k.team_id)))`

// An institution's key is nobody's credential, only its sessions are.
const text = `SELECT encode(k.secret_hash, 'hex') AS secret_hash, ${principalColumns}
  FROM ${principalTables}
  WHERE k.secret_hash = ANY ($1::bytea[]) AND k.type <> 'institution' AND ${principalIsWhole}`

/** The principals behind a batch of secret hashes, by hash; unknown and revoked keys are absent. */
export async function findPrincipals(pool: Pool, secretHashes: readonly string[]): Promise<Map<string, Principal>> {
  const hashes = secretHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<PrincipalRow & { secret_hash: string }>({
    name: 'find-principals',
    text,
    values: [hashes],
  })
  return new Map(rows.map((row) => [row.secret_hash, readPrincipal(row)]))
}
