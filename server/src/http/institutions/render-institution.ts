import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { InstitutionKey, InstitutionSession } from '#ports/institutions.ts'

export function renderInstitutionKey(key: InstitutionKey): JsonObject {
  const { terms } = key
  return {
    id: key.id,
    name: key.name,
    keyType: 'institution',
    keyPrefix: key.prefix,
    keySuffix: key.suffix,
    enabled: key.enabled,
    createdAt: new Date(key.createdAtMs).toISOString(),
    activeSessions: key.activeSessions,
    eduConfig: {
      allowedDomains: [...terms.allowedDomains],
      sessionTtlSeconds: terms.sessionTtlS,
      verificationTtlSeconds: terms.verificationTtlS,
      maxSessionsPerEmailPerKey: terms.maxSessionsPerEmail,
      codesPerNetworkPer15Minutes: terms.codesPerNetwork,
      codesPerHour: terms.codesPerHour,
      sessionRequestQuota: terms.requestQuota,
      sessionTokenQuota: terms.tokenQuota,
      sessionSpendQuotaUsd: nullableUsdJson(terms.spendQuota),
      monthlySpendQuotaUsd: nullableUsdJson(terms.personMonthQuota),
    },
  }
}

export function renderSession(session: InstitutionSession, nowMs: number): JsonObject {
  return {
    id: session.id,
    email: session.email,
    status: statusOf(session, nowMs),
    createdAt: new Date(session.createdAtMs).toISOString(),
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    revokedAt: session.revokedAtMs === null ? null : new Date(session.revokedAtMs).toISOString(),
    requests: { quota: session.requestQuota, used: session.requestsUsed },
    tokens: { quota: session.tokenQuota, used: session.tokensUsed },
    spendQuotaUsd: nullableUsdJson(session.spendQuota),
    monthlySpend: { quotaUsd: nullableUsdJson(session.personMonthQuota), usedUsd: usdJson(session.personMonthSpent) },
  }
}

function statusOf({ revokedAtMs, expiresAtMs }: InstitutionSession, nowMs: number): string {
  if (revokedAtMs !== null) return 'revoked'
  return nowMs >= expiresAtMs ? 'expired' : 'active'
}
