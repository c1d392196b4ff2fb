import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/** Whom an institution's key lets in, and for how long and how much. */
export interface InstitutionTerms {
  /** In canonical form; an address's domain must equal one of them, subdomains do not count. */
  readonly allowedDomains: readonly string[]
  readonly sessionTtlS: number
  readonly verificationTtlS: number
  readonly maxSessionsPerEmail: number
  /** Of each session. Null: no such quota. */
  readonly requestQuota: number | null
  readonly tokenQuota: number | null
  readonly spendQuota: NanoUsd | null
}

export const institutionDefaults = { sessionTtlS: 86_400, verificationTtlS: 900, maxSessionsPerEmail: 5 } as const

export const institutionBounds = {
  /** Of one organization. */
  keysMax: 100,
  domainsMax: 100,
  // From a minute to a year: a session is not a key.
  sessionTtlS: { min: 60, max: 31_536_000 },
  // A code of six digits must not be guessed at for longer than a day.
  verificationTtlS: { min: 60, max: 86_400 },
  maxSessionsPerEmail: { min: 1, max: 100 },
} as const

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
