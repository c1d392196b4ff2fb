import type { Principal } from './principal.ts'

type Verdict =
  | { readonly allowed: true }
  /** `inside` is for the log: to the client a disabled or expired key looks like one that does not exist. */
  | { readonly allowed: false; readonly refusal: 'unauthenticated' | 'accountSuspended'; readonly inside: string }

export function judgeKey(principal: Principal, nowMs: number): Verdict {
  if (!principal.enabled) return { allowed: false, refusal: 'unauthenticated', inside: 'the key is disabled' }
  if (principal.expiresAtMs !== null && nowMs >= principal.expiresAtMs) {
    return { allowed: false, refusal: 'unauthenticated', inside: 'the key has expired' }
  }
  if (principal.suspended) return { allowed: false, refusal: 'accountSuspended', inside: 'the account is suspended' }
  return { allowed: true }
}
