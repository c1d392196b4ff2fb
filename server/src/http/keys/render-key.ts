import { remainingOf } from '#control/keys/read-keys.ts'
import { resetNameOf } from '#domain/limits/spend-period.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { KeyRecord } from '#ports/keys.ts'

/** A key as its account sees it, with the field names of both kinds of clients. Never its secret. */
export function renderKey(key: KeyRecord): JsonObject {
  const limit = nullableUsdJson(key.limit)
  const createdAt = momentText(key.createdAtMs)
  const expiresAt = momentText(key.expiresAtMs)
  return {
    id: key.id,
    name: key.name,
    keyType: key.type,
    keyPrefix: key.prefix,
    keySuffix: key.suffix,
    enabled: key.enabled,
    spendLimitUsd: limit,
    spendLimitPeriod: key.period,
    allowedCidrs: [...key.allowedCidrs],
    freeFallback: key.freeFallback,
    cacheTtlSeconds: key.cacheTtlSeconds,
    requestCount: key.total.requests,
    totalTokens: key.tokens,
    lastUsed: momentText(key.lastUsedAtMs),
    createdAt,
    expiresAt,
    ...renderPlace(key),
    hash: key.id,
    label: key.name,
    disabled: !key.enabled,
    limit,
    limit_remaining: usdJson(remainingOf({ limit: key.limit, taken: key.capTaken, balance: key.balance })),
    limit_reset: key.period === null ? null : resetNameOf(key.period),
    usage: usdJson(key.total.spent),
    usage_daily: usdJson(key.day.spent),
    usage_weekly: usdJson(key.week.spent),
    usage_monthly: usdJson(key.month.spent),
    created_at: createdAt,
    updated_at: momentText(key.updatedAtMs),
    expires_at: expiresAt,
    creator_user_id: key.createdBy,
    external_user: null,
    workspace_id: key.organizationId,
  }
}

/** Where an organization key belongs. */
function renderPlace({ organizationId, memberId, teamId, member, team }: KeyRecord): JsonObject {
  if (organizationId === null) return {}
  return {
    organizationId,
    memberId,
    teamId,
    member: member === null ? null : { ...member },
    team: team === null ? null : { ...team },
    shared: memberId === null && teamId === null,
  }
}

function momentText(momentMs: number | null): string | null {
  return momentMs === null ? null : new Date(momentMs).toISOString()
}
