import { institutionDefaults, type InstitutionTerms } from './institution-terms.ts'
import type { MailAddress } from './parse-mail-address.ts'

/** The state of the key for which a code is requested. */
export interface EntryKey {
  readonly enabled: boolean
  readonly organizationSuspended: boolean
  /** Whether the address belongs to a suspended member of the organization. */
  readonly memberSuspended: boolean
  readonly terms: Pick<InstitutionTerms, 'allowedDomains'>
}

export type CodeRefusal =
  | 'malformed_address'
  | 'domain_not_allowed'
  | 'key_disabled'
  | 'organization_suspended'
  | 'member_suspended'

type CodeVerdict =
  | { readonly sends: true; readonly address: MailAddress }
  | { readonly sends: false; readonly reason: CodeRefusal }

/** Whether this address gets a code. The client does not learn the result; the organization's audit log records it. */
export function judgeCodeRequest(key: EntryKey, address: MailAddress | undefined): CodeVerdict {
  if (key.organizationSuspended) return { sends: false, reason: 'organization_suspended' }
  if (!key.enabled) return { sends: false, reason: 'key_disabled' }
  if (address === undefined) return { sends: false, reason: 'malformed_address' }
  if (!key.terms.allowedDomains.includes(address.domain)) return { sends: false, reason: 'domain_not_allowed' }
  if (key.memberSuspended) return { sends: false, reason: 'member_suspended' }
  return { sends: true, address }
}

/**
 * Rules for requesting and trying codes. Both are counted by the submitted values, whether or not they exist. A key may
 * raise the limits on requests, not those on wrong codes: 500 guesses in an hour find one code of a key in 2,000 hours.
 */
export const codeRules = {
  digits: 6,
  attemptsMax: 5,
  cooldownS: 60,
  /** Unless the key has limits of its own. */
  perClient: { max: institutionDefaults.codesPerNetwork, windowS: 900 },
  perKey: { max: institutionDefaults.codesPerHour, windowS: 3_600 },
  wrongPerClient: { max: 50, windowS: 900 },
  wrongPerKey: { max: 500, windowS: 3_600 },
} as const
