import { canonicalDomain } from '#domain/institutions/canonical-domain.ts'
import {
  institutionBounds as bounds,
  institutionDefaults,
  type InstitutionTerms,
} from '#domain/institutions/institution-terms.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** Default terms of a new key. */
export const freshTerms: InstitutionTerms = {
  ...institutionDefaults,
  allowedDomains: [],
  requestQuota: null,
  tokenQuota: null,
  spendQuota: null,
  personMonthQuota: null,
}

/** Parses `eduConfig`. Missing fields keep their values from `base`. Unknown fields are rejected, never ignored. */
export function parseEduConfig(value: JsonValue | undefined, base: InstitutionTerms): InstitutionTerms {
  if (value === undefined) return base
  if (!isJsonObject(value)) throw malformed('eduConfig must be an object.')
  const unknown = Object.keys(value).find((name) => !fields.has(name))
  if (unknown !== undefined) throw malformed(`eduConfig has no field "${unknown.slice(0, 100)}".`)
  const has = (field: string): boolean => value[field] !== undefined
  return {
    allowedDomains: has('allowedDomains') ? readDomains(value['allowedDomains']) : base.allowedDomains,
    sessionTtlS: readNumber(value, 'sessionTtlSeconds', bounds.sessionTtlS) ?? base.sessionTtlS,
    verificationTtlS: readNumber(value, 'verificationTtlSeconds', bounds.verificationTtlS) ?? base.verificationTtlS,
    maxSessionsPerEmail:
      readNumber(value, 'maxSessionsPerEmailPerKey', bounds.maxSessionsPerEmail) ?? base.maxSessionsPerEmail,
    codesPerNetwork: readNumber(value, 'codesPerNetworkPer15Minutes', bounds.codesPerNetwork) ?? base.codesPerNetwork,
    codesPerHour: readNumber(value, 'codesPerHour', bounds.codesPerHour) ?? base.codesPerHour,
    requestQuota: has('sessionRequestQuota') ? readQuota(value, 'sessionRequestQuota') : base.requestQuota,
    tokenQuota: has('sessionTokenQuota') ? readQuota(value, 'sessionTokenQuota') : base.tokenQuota,
    spendQuota: has('sessionSpendQuotaUsd') ? readSpendQuota(value, 'sessionSpendQuotaUsd') : base.spendQuota,
    personMonthQuota: has('monthlySpendQuotaUsd')
      ? readSpendQuota(value, 'monthlySpendQuotaUsd')
      : base.personMonthQuota,
  }
}

const fields = new Set([
  'allowedDomains',
  'sessionTtlSeconds',
  'verificationTtlSeconds',
  'maxSessionsPerEmailPerKey',
  'codesPerNetworkPer15Minutes',
  'codesPerHour',
  'sessionRequestQuota',
  'sessionTokenQuota',
  'sessionSpendQuotaUsd',
  'monthlySpendQuotaUsd',
])

function readDomains(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > bounds.domainsMax) {
    throw malformed(`eduConfig.allowedDomains must be an array of 1 to ${bounds.domainsMax} domains.`)
  }
  const domains = value.map((entry) => {
    const domain = typeof entry === 'string' ? canonicalDomain(entry.trim()) : undefined
    if (domain === undefined) {
      const shown = typeof entry === 'string' ? JSON.stringify(entry.slice(0, 100)) : 'A value that is not a string'
      throw malformed(`${shown} is not a domain such as "uni.edu". Wildcards are not supported; list each domain.`)
    }
    return domain
  })
  return [...new Set(domains)]
}

function readNumber(value: JsonObject, field: string, { min, max }: { min: number; max: number }): number | undefined {
  const number = value[field]
  if (number === undefined) return undefined
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < min || number > max) {
    throw malformed(`eduConfig.${field} must be an integer from ${min} to ${max}.`)
  }
  return number
}

function readQuota(value: JsonObject, field: string): number | null {
  return value[field] === null ? null : (readNumber(value, field, { min: 1, max: 1_000_000_000_000 }) ?? null)
}

// A billion dollars. For an unlimited quota, leave it out.
const spendMax = nanoUsd(1_000_000_000_000_000_000n)

function readSpendQuota(value: JsonObject, field: string): NanoUsd | null {
  if (value[field] === null) return null
  const quota = usdOf(value[field])
  if (quota === undefined || quota <= 0n || quota > spendMax) {
    throw malformed(
      `eduConfig.${field} must be null or a number in USD above 0 and at most 1000000000, with at most nine decimals.`,
    )
  }
  return quota
}
