import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { Uuid } from '#lib/uuid.ts'

export type KeyType = 'standard' | 'management'

/** Who is calling and who pays, as read from the store with the key. */
export interface Principal {
  readonly keyId: Uuid
  readonly keyName: string
  readonly keyType: KeyType
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  readonly memberId: Uuid | null
  readonly teamId: Uuid | null
  readonly walletId: Uuid
  readonly enabled: boolean
  readonly suspended: boolean
  readonly expiresAtMs: number | null
  readonly allowedCidrs: readonly string[]
  readonly keyCap: { readonly limit: NanoUsd; readonly period: SpendPeriod | null } | null
  readonly breaker: { readonly minute: NanoUsd; readonly hour: NanoUsd } | null
  /** The paying wallet's balance when the key was read, for choosing the rate. Money is judged by the store alone. */
  readonly balance: NanoUsd
}
