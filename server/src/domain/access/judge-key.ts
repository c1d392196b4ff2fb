import type { Principal } from './principal.ts'

type Verdict =
  | { readonly allowed: true }
  /** `inside` is for the log: to the client a disabled or expired key looks like one that does not exist. */
  | {
      readonly allowed: false
      readonly refusal: 'unauthenticated' | 'accountSuspended'
      readonly inside: string
      /** For the key's owner, who can find the request. */
      readonly boundBy: 'key_disabled' | 'key_expired' | 'account'
    }

export function judgeKey(principal: Principal, nowMs: number): Verdict {
  if (!principal.enabled) return disabled
  if (principal.expiresAtMs !== null && nowMs >= principal.expiresAtMs) return expired
  return principal.suspended ? suspended : { allowed: true }
}

const disabled: Verdict = {
  allowed: false,
  refusal: 'unauthenticated',
  inside: 'the key is disabled',
  boundBy: 'key_disabled',
}
const expired: Verdict = {
  allowed: false,
  refusal: 'unauthenticated',
  inside: 'the key has expired',
  boundBy: 'key_expired',
}
const suspended: Verdict = {
  allowed: false,
  refusal: 'accountSuspended',
  inside: 'the account is suspended',
  boundBy: 'account',
}
