import type { InstitutionTerms } from './institution-terms.ts'
import type { MailAddress } from './parse-mail-address.ts'

/** What is known of the key that a code is asked for with. */
export interface EntryKey {
  readonly enabled: boolean
  readonly organizationSuspended: boolean
  readonly terms: Pick<InstitutionTerms, 'allowedDomains'>
}

export type CodeRefusal = 'malformed_address' | 'domain_not_allowed' | 'key_disabled' | 'organization_suspended'

type CodeVerdict =
  | { readonly sends: true; readonly address: MailAddress }
  | { readonly sends: false; readonly reason: CodeRefusal }

/** Whether this address gets a code. The client is not told; the organization's audit log is. */
export function judgeCodeRequest(key: EntryKey, address: MailAddress | undefined): CodeVerdict {
  if (key.organizationSuspended) return { sends: false, reason: 'organization_suspended' }
  if (!key.enabled) return { sends: false, reason: 'key_disabled' }
  if (address === undefined) return { sends: false, reason: 'malformed_address' }
  if (!key.terms.allowedDomains.includes(address.domain)) return { sends: false, reason: 'domain_not_allowed' }
  return { sends: true, address }
}

/** How codes are asked for and guessed at. Requests are counted by what was submitted, whether or not it exists. */
export const codeRules = {
  digits: 6,
  attemptsMax: 5,
  cooldownS: 60,
  perClient: { max: 10, windowS: 900 },
  perKey: { max: 100, windowS: 3_600 },
} as const
