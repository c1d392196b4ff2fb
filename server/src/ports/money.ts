import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Money moves only through these calls; each is one statement over a batch, judged by Postgres. */
export interface Money {
  /** Reserves an amount in the wallet and in every window, all or none. */
  hold(request: HoldRequest): Promise<HoldVerdict>
  /** Raises an open hold to a new total. */
  extend(request: ExtendRequest): Promise<boolean>
  /** Keeps a hold from lapsing while its request lives. */
  renew(ids: readonly Uuid[]): Promise<void>
  /** Ends the hold and charges the record's cost, once per generation. Resolves when that is durable. */
  settle(entry: SettleEntry): Promise<SettledCharge>
}

export interface HoldRequest {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  amount: NanoUsd
  windows: readonly LimitedWindow[]
}

export type HoldVerdict =
  | { allowed: true }
  /** `scope` is `wallet` or the kind of a window; `room` is what it could still take. */
  | { allowed: false; scope: string; room: NanoUsd }

export interface ExtendRequest {
  id: Uuid
  total: NanoUsd
  windows: readonly LimitedWindow[]
}

export interface SettleEntry {
  record: GenerationRecord
  windows: readonly LimitedWindow[]
}

export interface SettledCharge {
  /** What the ledger has: of an earlier settle of the same generation, if there was one. */
  cost: NanoUsd
}
