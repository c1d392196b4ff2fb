import type { Principal } from '#domain/access/principal.ts'
import { nanoUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import { isBreaker, type LimitedWindow, type ScopeKind, scopeOf } from './scopes.ts'
import { windowEnd } from './window.ts'

/** A limit that applies to a request, and its remaining amount. */
export interface StandingLimit {
  /** The name in error responses: `key_day`, `member_month`, `wallet`. */
  readonly kind: string
  readonly ownerId: Uuid
  readonly isBreaker: boolean
  /** For the wallet, its balance plus its credit line. */
  readonly limit: NanoUsd
  /** Held and spent; for the wallet, only held. */
  readonly taken: NanoUsd
  readonly left: NanoUsd
  /** Null if it never resets. */
  readonly resetsAtMs: number | null
}

/** The funds of a wallet, and the held and spent amount of each window. */
export interface TakenLimits {
  readonly wallet: { readonly balance: NanoUsd; readonly held: NanoUsd; readonly creditLine: NanoUsd }
  readonly windows: readonly (LimitedWindow & { readonly taken: NanoUsd })[]
}

export interface EffectiveLimit {
  /** The tightest limit. Breakers do not count, because they reset within the hour. */
  readonly effective: StandingLimit
  /** The wallet first, if it pays, then scope by scope. */
  readonly limits: readonly StandingLimit[]
}

/** The limits on a key's spend: every limit that its requests count in, and the tightest one. */
export function effectiveLimit(
  { walletId }: Pick<Principal, 'walletId'>,
  taken: TakenLimits,
  nowMs: number,
): EffectiveLimit {
  const { balance, held, creditLine } = taken.wallet
  const limit = nanoUsd(balance + creditLine)
  const wallet = {
    kind: 'wallet',
    ownerId: walletId,
    isBreaker: false,
    limit,
    taken: held,
    left: rest(limit, held),
    resetsAtMs: null,
  }
  const windows = taken.windows.map((window): StandingLimit => {
    const length = scopeOf(window.kind)?.length ?? 'life'
    const left = rest(window.limit, window.taken)
    // A balance counts money paid in as negative spend, so the negative spend is its amount.
    const [most, used] = window.kind === prepaid ? [left, zeroUsd] : [window.limit, window.taken]
    return {
      kind: window.kind,
      ownerId: window.ownerId,
      isBreaker: isBreaker(window.kind),
      limit: most,
      taken: used,
      left,
      resetsAtMs: windowEnd(length, nowMs),
    }
  })
  const effective = windows
    .filter((window) => !window.isBreaker)
    .reduce((least: StandingLimit, window) => (window.left < least.left ? window : least), wallet)
  // The wallet of a prepaid customer does not pay.
  const isPrepaid = windows.some(({ kind }) => kind === prepaid)
  return { effective, limits: isPrepaid ? windows : [wallet, ...windows] }
}

const prepaid: ScopeKind = 'customer_balance'

/** A last charge above its hold may exceed a limit; the remaining amount is then zero, not negative. */
function rest(limit: NanoUsd, taken: NanoUsd): NanoUsd {
  return taken >= limit ? zeroUsd : nanoUsd(limit - taken)
}
