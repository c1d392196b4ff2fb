import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { AutoTopUpRule, WalletStanding } from '#domain/payments/auto-top-up.ts'
import type { ChargeFailure } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NewTopUp, OrderLimit } from './payments.ts'
import type { CustomerOf } from './saved-methods.ts'

/** Automatic top-ups of wallets. */
export interface AutoTopUps {
  find(walletId: Uuid): Promise<AutoTopUp | null>
  /** The wallet's balance, and what was bought for it automatically. */
  readStanding(walletId: Uuid, nowMs: number): Promise<WalletStanding>
  /** Turns automatic top-up on with new terms and clears earlier failures. */
  put(chosen: ChosenAutoTopUp, entry: AuditEntry): Promise<void>
  /** Turns it off if it is on, and if it uses this card when one is named. */
  switchOff(walletId: Uuid, options: { readonly methodRef: string | null; readonly entry: AuditEntry }): Promise<void>
  /** Claims wallets below their threshold. Other workers can claim them only after `leaseMs`. */
  claimLow(
    provider: Omit<CustomerOf, 'walletId'>,
    claim: { readonly atMost: number; readonly leaseMs: number },
  ): Promise<readonly Uuid[]>
  /** Judges a wallet and commits the order, under one lock. Null if nothing is bought now. */
  begin(walletId: Uuid, terms: AttemptTerms): Promise<TopUp | null>
}

export interface ChosenAutoTopUp extends AutoTopUpRule, CustomerOf {
  /** The person who set it up. */
  readonly payerId: Uuid
  readonly customerRef: string
  readonly methodRef: string
}

export interface AutoTopUp extends ChosenAutoTopUp {
  readonly isOn: boolean
  /** Consecutive failures. */
  readonly failures: number
  readonly lastFailure: ChargeFailure | null
  /** No card is charged before this time. */
  readonly lookAtMs: number
}

export interface AttemptTerms {
  readonly nowMs: number
  /** The top-up to buy, or null for none. */
  readonly decide: (chosen: AutoTopUp, standing: WalletStanding) => NewTopUp | null
  readonly limit: OrderLimit
  readonly entry: (order: NewTopUp) => AuditEntry
}
