import type { Pool } from 'pg'
import { breakerOf, type BreakerSettings } from '#domain/access/breaker.ts'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { KeyType, OrganizationTerms, Principal } from '#domain/access/principal.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { KeyReference } from '#ports/keys.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { accountValues } from './account-values.ts'

/** A row of `principalColumns`. */
interface PrincipalRow {
  id: string
  name: string
  type: KeyType
  operator_role: OperatorRole | null
  enabled: boolean
  user_id: string | null
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  wallet_id: string
  spend_limit_nano: string | null
  spend_limit_period: SpendPeriod | null
  allowed_cidrs: string[]
  free_fallback: boolean
  cache_ttl_seconds: number | null
  expires_at: Date | null
  suspended: boolean
  breaker_enabled: boolean | null
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
  billing_mode: 'prepaid' | 'monthly' | null
  weekly_budget_nano: string | null
  monthly_budget_nano: string | null
  allowed_models: string[] | null
  o_breaker_enabled: boolean | null
  o_breaker_minute_nano: string | null
  o_breaker_hour_nano: string | null
  t_monthly_budget_nano: string | null
  t_allowed_models: string[] | null
  t_breaker_enabled: boolean | null
  t_breaker_minute_nano: string | null
  t_breaker_hour_nano: string | null
  m_monthly_budget_nano: string | null
  m_allowed_models: string[] | null
  m_breaker_enabled: boolean | null
  m_breaker_minute_nano: string | null
  m_breaker_hour_nano: string | null
  balance_nano: string
  overdue_invoice: string | null
}

function readPrincipal(row: PrincipalRow): Principal {
  const keyLimit = readNullableNano(row.spend_limit_nano)
  return {
    keyId: row.id,
    keyName: row.name,
    keyType: row.type,
    operatorRole: row.operator_role,
    userId: row.user_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    walletId: row.wallet_id,
    enabled: row.enabled,
    suspended: row.suspended,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    allowedCidrs: row.allowed_cidrs,
    freeFallback: row.free_fallback,
    cacheTtlSeconds: row.cache_ttl_seconds,
    keyCap: keyLimit === null ? null : { limit: keyLimit, period: row.spend_limit_period },
    breaker: breakerOf([settings(row.breaker_enabled, row.breaker_minute_nano, row.breaker_hour_nano)]),
    organization: row.billing_mode === null ? null : readTerms(row, row.billing_mode),
    institutionSession: null,
    customerToken: null,
    attribution: null,
    balance: readNano(row.balance_nano),
  }
}

function readTerms(row: PrincipalRow, billing: 'prepaid' | 'monthly'): OrganizationTerms {
  const organization = settings(row.o_breaker_enabled, row.o_breaker_minute_nano, row.o_breaker_hour_nano)
  const team = settings(row.t_breaker_enabled, row.t_breaker_minute_nano, row.t_breaker_hour_nano)
  const member = settings(row.m_breaker_enabled, row.m_breaker_minute_nano, row.m_breaker_hour_nano)
  return {
    billing,
    overdueInvoice: row.overdue_invoice,
    budgets: {
      organizationWeek: readNullableNano(row.weekly_budget_nano),
      organizationMonth: readNullableNano(row.monthly_budget_nano),
      teamMonth: readNullableNano(row.t_monthly_budget_nano),
      memberMonth: readNullableNano(row.m_monthly_budget_nano),
    },
    breakers: {
      organization: breakerOf([organization]),
      team: breakerOf([team, organization]),
      member: breakerOf([member, team, organization]),
    },
    allowedModels: [row.allowed_models, row.t_allowed_models, row.m_allowed_models].filter(
      (layer): layer is string[] => layer !== null && layer.length > 0,
    ),
  }
}

function settings(enabled: boolean | null, minute: string | null, hour: string | null): BreakerSettings {
  return { enabled, minute: readNullableNano(minute), hour: readNullableNano(hour) }
}

/** The columns behind every principal: a key (`k`) with its user, organization, member, team and wallet. */
// An operator key from before the roles is an owner's.
const principalColumns = `k.id, k.name, k.type, k.enabled,
    CASE WHEN k.type = 'operator' THEN coalesce(k.operator_role, 'owner') END AS operator_role,
    k.user_id, k.organization_id, k.member_id, coalesce(k.team_id, m.team_id) AS team_id, k.wallet_id,
    k.spend_limit_nano, k.spend_limit_period, k.allowed_cidrs, k.free_fallback, k.expires_at,
    nullif(coalesce(k.cache_ttl_seconds, o.cache_ttl_seconds), 0) AS cache_ttl_seconds,
    u.suspended_at IS NOT NULL OR o.suspended_at IS NOT NULL OR m.suspended_at IS NOT NULL AS suspended,
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
    coalesce(w.balance_nano, 0) AS balance_nano,
    CASE WHEN o.billing_mode = 'monthly' THEN
      (SELECT i.number FROM invoice_states i WHERE i.wallet_id = k.wallet_id AND i.suspended_at IS NOT NULL LIMIT 1) END AS overdue_invoice`

// A wallet may be on another shard, so a key without a wallet here is still valid; its holds are judged there. The keys
// of a deleted member or team stop working, and so do the keys of a member who has left the key's team, even if they
// were not revoked.
const principalTables = `api_keys k
  LEFT JOIN users u ON u.id = k.user_id
  LEFT JOIN organizations o ON o.id = k.organization_id
  LEFT JOIN members m ON m.id = k.member_id
  LEFT JOIN teams t ON t.id = coalesce(k.team_id, m.team_id)
  LEFT JOIN wallets w ON w.id = k.wallet_id`

const principalIsWhole = `k.revoked_at IS NULL AND (k.member_id IS NULL OR m.id IS NOT NULL)
    AND (k.team_id IS NULL OR (t.id IS NOT NULL AND (m.id IS NULL OR m.team_id = k.team_id)))`

/** The principals of a batch of secret hashes, by hash. Unknown and revoked keys are absent. */
export async function findPrincipals(pool: Pool, secretHashes: readonly string[]): Promise<Map<string, Principal>> {
  // An institution's key is not a credential; only its sessions are. A rotated key has two secrets for a while.
  const text = `SELECT encode(f.hash, 'hex') AS secret_hash, least(k.expires_at, f.until) AS usable_until, ${principalColumns}
    FROM ${principalTables}
    JOIN (SELECT id, secret_hash AS hash, NULL::timestamptz AS until FROM api_keys WHERE secret_hash = ANY ($1::bytea[])
      UNION ALL SELECT id, former_hash, former_until FROM api_keys WHERE former_hash = ANY ($1::bytea[])) AS f ON f.id = k.id
    WHERE k.type <> 'institution' AND ${principalIsWhole}`
  const hashes = secretHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<PrincipalRow & { secret_hash: string; usable_until: Date | null }>({
    name: 'find-principals',
    text,
    values: [hashes],
  })
  return new Map(
    rows.map((row) => [row.secret_hash, { ...readPrincipal(row), expiresAtMs: row.usable_until?.getTime() ?? null }]),
  )
}

/** The principal of an account's key, independent of its secret. Null if there is no such key or it no longer works. */
export async function findPrincipalOfKey(pool: Pool, { keyId, account }: KeyReference): Promise<Principal | null> {
  const text = `SELECT ${principalColumns} FROM ${principalTables}
    WHERE k.id = $1 AND k.type IN ('standard', 'management') AND NOT k.playground
      AND ($2::uuid IS NULL OR (k.user_id = $2 AND k.organization_id IS NULL)) AND ($3::uuid IS NULL OR k.organization_id = $3)
      AND ($4::uuid IS NULL OR (k.member_id = $4 AND k.type = 'standard')) AND ${principalIsWhole}`
  const { userId, organizationId, memberId } = accountValues(account)
  const { rows } = await pool.query<PrincipalRow>(text, [keyId, userId, organizationId, memberId])
  return rows[0] === undefined ? null : readPrincipal(rows[0])
}

interface SessionPrincipalRow extends PrincipalRow {
  token_hash: string
  session_id: string
  person_id: string
  spend_quota_nano: string | null
  person_month_quota_nano: string | null
  has_counted_quota: boolean
  session_expires_at: Date
}

/** The principals of a batch of token hashes of institution sessions, by hash. Ended sessions are absent. */
export async function findSessionPrincipals(
  pool: Pool,
  tokenHashes: readonly string[],
): Promise<Map<string, Principal>> {
  const text = `SELECT encode(s.token_hash, 'hex') AS token_hash, s.id AS session_id, s.spend_quota_nano,
      coalesce(s.person_id, s.id) AS person_id, i.person_month_quota_nano,
      s.request_quota IS NOT NULL OR s.token_quota IS NOT NULL AS has_counted_quota,
      least(s.expires_at, k.expires_at) AS session_expires_at, ${principalColumns}
    FROM ${principalTables}
    JOIN institution_sessions s ON s.key_id = k.id
    JOIN institution_keys i ON i.key_id = k.id
    WHERE s.token_hash = ANY ($1::bytea[]) AND s.revoked_at IS NULL AND k.type = 'institution' AND ${principalIsWhole}`
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<SessionPrincipalRow>({ name: 'find-session-principals', text, values: [hashes] })
  return new Map(rows.map((row) => [row.token_hash, readSessionPrincipal(row)]))
}

interface TokenPrincipalRow extends PrincipalRow {
  token_hash: string
  token_id: string
  customer_id: string
  external_id: string
  token_limit_nano: string | null
  token_models: string[] | null
  token_expires_at: Date
}

/** The principals of a batch of hashes of customers' tokens, by hash. Revoked tokens are absent. */
export async function findTokenPrincipals(pool: Pool, tokenHashes: readonly string[]): Promise<Map<string, Principal>> {
  const text = `SELECT encode(c.token_hash, 'hex') AS token_hash, c.id AS token_id, c.customer_id, e.external_id,
      c.limit_nano AS token_limit_nano, c.allowed_models AS token_models,
      least(c.expires_at, k.expires_at) AS token_expires_at, ${principalColumns}
    FROM ${principalTables}
    JOIN customer_tokens c ON c.key_id = k.id
    JOIN end_customers e ON e.id = c.customer_id AND e.wallet_id = k.wallet_id
    WHERE c.token_hash = ANY ($1::bytea[]) AND c.revoked_at IS NULL AND k.type = 'standard' AND ${principalIsWhole}`
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<TokenPrincipalRow>({ name: 'find-token-principals', text, values: [hashes] })
  return new Map(rows.map((row) => [row.token_hash, readTokenPrincipal(row)]))
}

function readTokenPrincipal(row: TokenPrincipalRow): Principal {
  return {
    ...readPrincipal(row),
    expiresAtMs: row.token_expires_at.getTime(),
    customerToken: {
      id: row.token_id,
      endCustomerId: row.customer_id,
      customer: row.external_id,
      limit: readNullableNano(row.token_limit_nano),
      allowedModels: row.token_models,
    },
  }
}

/** A session acts as its key, except for its lifetime, permissions and quotas. */
function readSessionPrincipal(row: SessionPrincipalRow): Principal {
  return {
    ...readPrincipal(row),
    expiresAtMs: row.session_expires_at.getTime(),
    institutionSession: {
      id: row.session_id,
      personId: row.person_id,
      spendQuota: readNullableNano(row.spend_quota_nano),
      personMonthQuota: readNullableNano(row.person_month_quota_nano),
      hasCountedQuota: row.has_counted_quota,
    },
  }
}
