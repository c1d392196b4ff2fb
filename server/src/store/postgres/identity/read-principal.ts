import { breakerOf, type BreakerSettings } from '#domain/access/breaker.ts'
import type { KeyType, OrganizationTerms, Principal } from '#domain/access/principal.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { readNano, readNullableNano } from '../nano-column.ts'

/** A row of `principalColumns`. */
export interface PrincipalRow {
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
  free_fallback: boolean
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
}

export function readPrincipal(row: PrincipalRow): Principal {
  const keyLimit = readNullableNano(row.spend_limit_nano)
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
    freeFallback: row.free_fallback,
    keyCap: keyLimit === null ? null : { limit: keyLimit, period: row.spend_limit_period },
    breaker: breakerOf([settings(row.breaker_enabled, row.breaker_minute_nano, row.breaker_hour_nano)]),
    organization: row.billing_mode === null ? null : readTerms(row, row.billing_mode),
    institutionSession: null,
    balance: readNano(row.balance_nano),
  }
}

function readTerms(row: PrincipalRow, billing: 'prepaid' | 'monthly'): OrganizationTerms {
  const organization = settings(row.o_breaker_enabled, row.o_breaker_minute_nano, row.o_breaker_hour_nano)
  const team = settings(row.t_breaker_enabled, row.t_breaker_minute_nano, row.t_breaker_hour_nano)
  const member = settings(row.m_breaker_enabled, row.m_breaker_minute_nano, row.m_breaker_hour_nano)
  return {
    billing,
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
