import type { Principal } from '#domain/access/principal.ts'
import { rateLimitOf, type RateLimits, rateRules } from '#domain/limits/rate.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { AccountReads, KeyUse } from '#ports/account-reads.ts'
import { remainingOf } from './remaining-of.ts'

export interface KeyDescription {
  use: KeyUse
  /** The rest of the key's cap; without a cap, what the paying wallet has. */
  remaining: NanoUsd
  isFreeTier: boolean
  requestsPerMinute: number
}

/** What a key has used and may still use, as of now. */
export async function describeKey(
  deps: { account: AccountReads; limits?: RateLimits | undefined },
  principal: Principal,
  nowMs: number,
): Promise<KeyDescription> {
  const use = await deps.account.readKeyUse({
    keyId: principal.keyId,
    walletId: principal.walletId,
    dayStartMs: windowStart('day', nowMs),
    weekStartMs: windowStart('week', nowMs),
    monthStartMs: windowStart('month', nowMs),
    cap: limitedWindows(principal, nowMs).find(({ ownerId }) => ownerId === principal.keyId) ?? null,
  })
  return {
    use,
    remaining: remainingOf({
      limit: principal.keyCap?.limit ?? null,
      taken: use.capTaken ?? zeroUsd,
      balance: use.balance,
    }),
    isFreeTier: use.balance < rateRules.fundedFromNano,
    requestsPerMinute: rateLimitOf('inference', use.balance, deps.limits),
  }
}
