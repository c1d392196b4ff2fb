import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BreakerLimits } from './breaker.ts'

export type KeyType = 'standard' | 'management' | 'institution' | 'operator'

/** Who is calling and who pays, as read from the store with the key. */
export interface Principal {
  readonly keyId: Uuid
  readonly keyName: string
  readonly keyType: KeyType
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  readonly memberId: Uuid | null
  /** The key's own team, or else its member's. */
  readonly teamId: Uuid | null
  readonly walletId: Uuid
  readonly enabled: boolean
  /** The user or the organization. */
  readonly suspended: boolean
  readonly expiresAtMs: number | null
  readonly allowedCidrs: readonly string[]
  /** Whether calls go on at the paid price when a free quota is used up. */
  readonly freeFallback: boolean
  readonly keyCap: { readonly limit: NanoUsd; readonly period: SpendPeriod | null } | null
  /** The user's own spend breaker. */
  readonly breaker: BreakerLimits | null
  /** What an organization says about calls with its keys; null for personal keys. */
  readonly organization: OrganizationTerms | null
  /** Set when an institution's session is calling, never an institution's key itself. */
  readonly institutionSession: InstitutionSessionTerms | null
  /** The paying wallet's balance when the key was read, for choosing the rate. Money is judged by the store alone. */
  readonly balance: NanoUsd
}

export interface OrganizationTerms {
  readonly billing: 'prepaid' | 'monthly'
  /** The number of an invoice that stops all spending until it is paid. */
  readonly overdueInvoice: string | null
  readonly budgets: {
    readonly organizationWeek: NanoUsd | null
    readonly organizationMonth: NanoUsd | null
    readonly teamMonth: NanoUsd | null
    readonly memberMonth: NanoUsd | null
  }
  /** Null where the breaker is off, or says nothing that a wider one does not say as well. */
  readonly breakers: {
    readonly organization: BreakerLimits | null
    readonly team: BreakerLimits | null
    readonly member: BreakerLimits | null
  }
  /** Layers that say nothing are left out; a model must be in every layer that is here. */
  readonly allowedModels: readonly (readonly string[])[]
}

interface InstitutionSessionTerms {
  readonly id: Uuid
  /** Null: no such quota. */
  readonly spendQuota: NanoUsd | null
  readonly hasCountedQuota: boolean
}
