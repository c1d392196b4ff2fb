import type { KeyDescription } from '#control/keys/read-keys.ts'
import type { Principal } from '#domain/access/principal.ts'
import { rateRules } from '#domain/limits/rate.ts'
import { resetNameOf } from '#domain/limits/spend-period.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/** The calling key, with all that it has used. */
export function renderKeyInfo(principal: Principal, description: KeyDescription): JsonObject {
  const { use } = description
  const period = principal.keyCap?.period ?? null
  return {
    ...renderAuthKey(principal, description),
    limit_reset: period === null ? null : resetNameOf(period),
    expires_at: principal.expiresAtMs === null ? null : new Date(principal.expiresAtMs).toISOString(),
    is_management_key: principal.keyType === 'management',
    usage_daily: usdJson(use.day.spent),
    usage_weekly: usdJson(use.week.spent),
    usage_monthly: usdJson(use.month.spent),
    requests: use.total.requests,
    requests_daily: use.day.requests,
    requests_weekly: use.week.requests,
    requests_monthly: use.month.requests,
  }
}

/** The shorter answer of the older path. */
export function renderAuthKey(principal: Principal, description: KeyDescription): JsonObject {
  return {
    label: principal.keyName,
    usage: usdJson(description.use.total.spent),
    limit: principal.keyCap === null ? null : usdJson(principal.keyCap.limit),
    limit_remaining: usdJson(description.remaining),
    is_free_tier: description.isFreeTier,
    is_provisioning_key: principal.keyType === 'management',
    rate_limit: {
      requests: description.requestsPerMinute,
      interval: `${rateRules.windowMs / 1000}s`,
      note: 'Counted per user and paying wallet over all keys. Account reads have a limit of their own.',
    },
  }
}
