import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Money moves only through these calls. Each is one statement over a batch, judged by Postgres. */
export interface Money {
  /** Reserves an amount in the wallet and in every window, all or none. */
  hold(request: HoldRequest): Promise<HoldVerdict>
  /** Raises an open hold towards a new total, as far as there is room. Null if the hold is gone. */
  extend(request: ExtendRequest): Promise<ExtendedHold | null>
  /** Keeps a hold from expiring while its request runs. */
  renew(ids: readonly Uuid[]): Promise<void>
  /**
   * Ends the hold and charges the record's cost, once per generation and never above its hold. Resolves when that is
   * durable.
   */
  settle(entry: SettleEntry): Promise<SettledCharge>
}

export interface HoldRequest {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  amount: NanoUsd
  /** The amount that counts in breakers while the request runs. Default: the amount. */
  estimate?: NanoUsd
  /** Set if more than the amount may be needed. */
  growth?: HoldGrowth
  windows: readonly LimitedWindow[]
}

/** How a hold may grow beyond its initial amount. */
export interface HoldGrowth {
  /** The maximum that could be needed. */
  readonly wish: NanoUsd
  /**
   * Set if the gateway cannot observe the usage while it grows: the hold then reserves more at once, up to this amount
   * or a share of what remains beyond many such amounts.
   */
  readonly comfort: NanoUsd | null
}

export type HoldVerdict =
  /**
   * `granted` is the amount or more; `room` is how much the wallet and limits could still reserve, if growth was
   * requested.
   */
  | { allowed: true; granted: NanoUsd; room: NanoUsd }
  /** `scope` is `wallet` or the kind of a window; `room` is how much it could still reserve. */
  | { allowed: false; scope: string; room: NanoUsd }

export interface ExtendRequest {
  id: Uuid
  total: NanoUsd
  windows: readonly LimitedWindow[]
}

export interface ExtendedHold {
  total: NanoUsd
  /** `wallet` or the kind of the window that lacked room. Null if the whole total is held. */
  refusedBy: string | null
}

export interface SettleEntry {
  record: GenerationRecord
  windows: readonly LimitedWindow[]
}

export interface SettledCharge {
  /** The amounts in the ledger, from an earlier settle of the same generation if there was one. */
  cost: NanoUsd
  /** The amount that could not be charged. */
  absorbed: NanoUsd
}
