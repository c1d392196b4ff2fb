import { formatUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { InstitutionTerms } from './institution-terms.ts'

/** A key's settings as the audit log tells of them; amounts are texts there, so that no digit is lost. */
export function describeInstitutionKey(key: {
  readonly name: string
  readonly enabled: boolean
  readonly terms: InstitutionTerms
}): JsonObject {
  const { terms } = key
  return {
    name: key.name,
    enabled: key.enabled,
    allowedDomains: [...terms.allowedDomains],
    sessionTtlSeconds: terms.sessionTtlS,
    verificationTtlSeconds: terms.verificationTtlS,
    maxSessionsPerEmailPerKey: terms.maxSessionsPerEmail,
    sessionRequestQuota: terms.requestQuota,
    sessionTokenQuota: terms.tokenQuota,
    sessionSpendQuotaUsd: terms.spendQuota === null ? null : formatUsd(terms.spendQuota),
  }
}
