import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/** Who can sign in with an institution key, for how long, and with which quotas. */
export interface InstitutionTerms {
  /** In canonical form. An address's domain must equal one of them; subdomains do not count. */
  readonly allowedDomains: readonly string[]
  readonly sessionTtlS: number
  readonly verificationTtlS: number
  readonly maxSessionsPerEmail: number
  /** Code requests from one network in 15 minutes. */
  readonly codesPerNetwork: number
  /** Code requests with the key in an hour. */
  readonly codesPerHour: number
  /** Per session. Null means no quota. */
  readonly requestQuota: number | null
  readonly tokenQuota: number | null
  readonly spendQuota: NanoUsd | null
  /** Per person and calendar month (UTC), over all sessions. Null means no quota. */
  readonly personMonthQuota: NanoUsd | null
}

export const institutionDefaults = {
  sessionTtlS: 86_400,
  verificationTtlS: 900,
  maxSessionsPerEmail: 5,
  codesPerNetwork: 10,
  codesPerHour: 100,
} as const

export const institutionBounds = {
  /** Per organization. */
  keysMax: 100,
  domainsMax: 100,
  // From a minute to a year: a session must not last as long as a key.
  sessionTtlS: { min: 60, max: 31_536_000 },
  // A code of six digits must not be open to guessing for longer than a day.
  verificationTtlS: { min: 60, max: 86_400 },
  maxSessionsPerEmail: { min: 1, max: 100 },
  // A campus of ten thousand people behind one address. Wrong codes have limits of their own, which no key raises.
  codesPerNetwork: { min: 1, max: 10_000 },
  codesPerHour: { min: 1, max: 100_000 },
} as const

/** A key's settings for the audit log. Amounts are strings, so that no digit is lost. */
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
    codesPerNetworkPer15Minutes: terms.codesPerNetwork,
    codesPerHour: terms.codesPerHour,
    sessionRequestQuota: terms.requestQuota,
    sessionTokenQuota: terms.tokenQuota,
    sessionSpendQuotaUsd: terms.spendQuota === null ? null : formatUsd(terms.spendQuota),
    monthlySpendQuotaUsd: terms.personMonthQuota === null ? null : formatUsd(terms.personMonthQuota),
  }
}
