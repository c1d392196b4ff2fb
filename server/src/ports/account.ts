import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Generations, StoredGeneration } from './generations.ts'

/** What an account may read about itself. */
export interface AccountReads {
  readKeyUse(query: KeyUseQuery): Promise<KeyUse>
  readWalletTotals(walletId: Uuid): Promise<WalletTotals>
}

export interface KeyUseQuery {
  keyId: Uuid
  walletId: Uuid
  /** The starts of the current periods. */
  dayStartMs: number
  weekStartMs: number
  monthStartMs: number
  /** The key's own cap, where it has one. */
  cap: LimitedWindow | null
}

export interface KeyUse {
  total: PeriodUse
  day: PeriodUse
  week: PeriodUse
  month: PeriodUse
  /** Of the paying wallet, as it is now. */
  balance: NanoUsd
  /** What the cap's window has taken, held and spent; null without a cap. */
  capTaken: NanoUsd | null
}

export interface PeriodUse {
  spent: NanoUsd
  requests: number
}

export interface WalletTotals {
  credited: NanoUsd
  charged: NanoUsd
}

/** Generations with what a receipt needs, and the holds that nobody settled. */
export interface GenerationArchive extends Generations {
  find(scope: UsageScope, id: Uuid): Promise<PricedGeneration | null>
  findLapsed(scope: UsageScope, id: Uuid): Promise<LapsedHold | null>
}

export interface PricedGeneration extends StoredGeneration {
  /** Since when the price version it was charged with had been in force. */
  priceValidFromMs: number | null
}

export interface LapsedHold {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  amount: NanoUsd
  lapsedAtMs: number
}
