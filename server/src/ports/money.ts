import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Money moves only through these calls; each is one statement over a batch, judged by Postgres. */
export interface Money {
  /** Reserves an amount in the wallet and in every window, all or none. */
  hold(request: HoldRequest): Promise<HoldVerdict>
  /** Raises an open hold towards a new total, as far as there is room; null where the hold is gone. */
  extend(request: ExtendRequest): Promise<ExtendedHold | null>
  /** Keeps a hold from lapsing while its request lives. */
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
  /** What it counts for in breakers while it runs; absent: the amount. */
  estimate?: NanoUsd
  /** Set where more may be needed than the amount. */
  growth?: HoldGrowth
  windows: readonly LimitedWindow[]
}

/** How a hold may become larger than it is at first. */
export interface HoldGrowth {
  /** The most that could be needed. */
  readonly wish: NanoUsd
  /**
   * Set where the gateway cannot watch how much is needed: the hold then takes more at once, up to the comfort or a
   * share of what is left beyond many of these.
   */
  readonly comfort: NanoUsd | null
}

export type HoldVerdict =
  /**
   * `granted` is the amount or more; `room` is what wallet and limits could take beside it, where growth was wished
   * for.
   */
  | { allowed: true; granted: NanoUsd; room: NanoUsd }
  /** `scope` is `wallet` or the kind of a window; `room` is what it could still take. */
  | { allowed: false; scope: string; room: NanoUsd }

export interface ExtendRequest {
  id: Uuid
  total: NanoUsd
  windows: readonly LimitedWindow[]
}

export interface ExtendedHold {
  total: NanoUsd
  /** `wallet` or the kind of the window that was short of room; null where all of the total is held. */
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
