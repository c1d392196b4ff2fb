import type { InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import { readNullableNano } from '../nano-column.ts'

/** The columns of `institution_keys` (`i`) that say whom it lets in, and how they are read. */
export const termsColumns = `i.allowed_domains, i.session_ttl_s, i.verification_ttl_s, i.max_sessions_per_email,
    i.session_request_quota, i.session_token_quota, i.session_spend_quota_nano`

export interface InstitutionTermsRow {
  allowed_domains: string[]
  session_ttl_s: number
  verification_ttl_s: number
  max_sessions_per_email: number
  session_request_quota: string | null
  session_token_quota: string | null
  session_spend_quota_nano: string | null
}

export function readTerms(row: InstitutionTermsRow): InstitutionTerms {
  return {
    allowedDomains: row.allowed_domains,
    sessionTtlS: row.session_ttl_s,
    verificationTtlS: row.verification_ttl_s,
    maxSessionsPerEmail: row.max_sessions_per_email,
    requestQuota: readCount(row.session_request_quota),
    tokenQuota: readCount(row.session_token_quota),
    spendQuota: readNullableNano(row.session_spend_quota_nano),
  }
}

/** In the order of `termsColumns`. */
export function termsValues(terms: InstitutionTerms): unknown[] {
  return [
    [...terms.allowedDomains],
    terms.sessionTtlS,
    terms.verificationTtlS,
    terms.maxSessionsPerEmail,
    terms.requestQuota,
    terms.tokenQuota,
    terms.spendQuota,
  ]
}

function readCount(count: string | null): number | null {
  return count === null ? null : Number(count)
}
