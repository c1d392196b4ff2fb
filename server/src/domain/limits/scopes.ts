import type { Principal } from '#domain/access/principal.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { Uuid } from '#lib/uuid.ts'
import { type WindowLength, windowStart } from './window.ts'

/**
 * What may limit the spend of a request beside the wallet. A hold is judged over all scopes that apply, in one statement;
 * adding a limit is adding a row here (and to `stored_spend` in the migrations, which seeds a window from stored sums).
 */
export interface Scope {
  /** Stored with each window; its first word names whose limit it is. */
  readonly kind: string
  readonly length: WindowLength
  readonly owner: (principal: Principal) => Uuid | null
  /** Null: no such limit, nothing is counted. */
  readonly limit: (principal: Principal) => NanoUsd | null
  readonly refusal: ErrorName
  /** Completes the sentence "The … is reached". */
  readonly title: string
}

const keyOf = (principal: Principal): Uuid => principal.keyId
const userOf = (principal: Principal): Uuid | null => principal.userId
const keyCap = (period: 'day' | 'week' | 'month' | null) => (principal: Principal) =>
  principal.keyCap?.period === period ? principal.keyCap.limit : null

export const scopes = [
  {
    kind: 'key_life',
    length: 'life',
    owner: keyOf,
    limit: keyCap(null),
    refusal: 'spendLimitExceeded',
    title: "key's spend limit",
  },
  {
    kind: 'key_day',
    length: 'day',
    owner: keyOf,
    limit: keyCap('day'),
    refusal: 'spendLimitExceeded',
    title: "key's daily spend limit",
  },
  {
    kind: 'key_week',
    length: 'week',
    owner: keyOf,
    limit: keyCap('week'),
    refusal: 'spendLimitExceeded',
    title: "key's weekly spend limit",
  },
  {
    kind: 'key_month',
    length: 'month',
    owner: keyOf,
    limit: keyCap('month'),
    refusal: 'spendLimitExceeded',
    title: "key's monthly spend limit",
  },
  {
    kind: 'user_minute',
    length: 'minute',
    owner: userOf,
    limit: (principal) => principal.breaker?.minute ?? null,
    refusal: 'spendBreakerTripped',
    title: 'spend breaker of the user scope, minute window,',
  },
  {
    kind: 'user_hour',
    length: 'hour',
    owner: userOf,
    limit: (principal) => principal.breaker?.hour ?? null,
    refusal: 'spendBreakerTripped',
    title: 'spend breaker of the user scope, hour window,',
  },
] as const satisfies Scope[]

export interface LimitedWindow {
  readonly kind: string
  readonly ownerId: Uuid
  readonly startsAtMs: number
  readonly limit: NanoUsd
}

/** The windows a request of this caller counts in at this moment: only scopes with a limit. */
export function limitedWindows(principal: Principal, nowMs: number): LimitedWindow[] {
  const windows: LimitedWindow[] = []
  for (const scope of scopes) {
    const limit = scope.limit(principal)
    const ownerId = scope.owner(principal)
    if (limit === null || ownerId === null) continue
    windows.push({ kind: scope.kind, ownerId, startsAtMs: windowStart(scope.length, nowMs), limit })
  }
  return windows
}

export function scopeOf(kind: string): Scope | undefined {
  return scopes.find((scope) => scope.kind === kind)
}
