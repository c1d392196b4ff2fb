import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Attribution } from './attribution.ts'
import type { BreakerLimits } from './breaker.ts'
import type { OperatorRole } from './operator-roles.ts'

export type KeyType = 'standard' | 'management' | 'institution' | 'operator'

/** The client and the paying wallet, as read from the store with the key. */
export interface Principal {
  readonly keyId: Uuid
  readonly keyName: string
  readonly keyType: KeyType
  /** Null for keys of accounts. */
  readonly operatorRole: OperatorRole | null
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  readonly memberId: Uuid | null
  /** The key's own team, or else its member's. */
  readonly teamId: Uuid | null
  readonly walletId: Uuid
  readonly enabled: boolean
  /** Whether the user or the organization is suspended. */
  readonly suspended: boolean
  readonly expiresAtMs: number | null
  readonly allowedCidrs: readonly string[]
  /** Whether requests continue at the paid price after a free quota is exhausted. */
  readonly freeFallback: boolean
  /** Time that answers stay cached, by the setting of the key or its organization. Null turns the cache off. */
  readonly cacheTtlSeconds: number | null
  readonly keyCap: { readonly limit: NanoUsd; readonly period: SpendPeriod | null } | null
  /** The user's own spend breaker. */
  readonly breaker: BreakerLimits | null
  /** The organization's terms for requests with its keys; null for personal keys. */
  readonly organization: OrganizationTerms | null
  /** Set for requests of an institution's session, never for an institution key itself. */
  readonly institutionSession: InstitutionSessionTerms | null
  /** Set for requests with a token of a customer, never for the key itself. */
  readonly customerToken: CustomerTokenTerms | null
  /** Set for a request that says for whom it is, never for the key itself. */
  readonly attribution: Attribution | null
  /**
   * The paying wallet's balance when the key was read, for choosing the rate limit. Only the store decides about money.
   */
  readonly balance: NanoUsd
}

export interface OrganizationTerms {
  readonly billing: 'prepaid' | 'monthly'
  /** The number of an overdue invoice that stops all spending until it is paid. */
  readonly overdueInvoice: string | null
  readonly budgets: {
    readonly organizationWeek: NanoUsd | null
    readonly organizationMonth: NanoUsd | null
    readonly teamMonth: NanoUsd | null
    readonly memberMonth: NanoUsd | null
  }
  /** Null if the breaker is off, or adds nothing to a wider one. */
  readonly breakers: {
    readonly organization: BreakerLimits | null
    readonly team: BreakerLimits | null
    readonly member: BreakerLimits | null
  }
  /** Layers without a list are left out; a model must be in every remaining layer. */
  readonly allowedModels: readonly (readonly string[])[]
}

/** A token acts as its key, for one customer only. */
export interface CustomerTokenTerms {
  readonly id: Uuid
  readonly endCustomerId: Uuid
  /** The owner's id of the customer. */
  readonly customer: string
  /** Maximum spend of the token. Null means no limit of its own. */
  readonly limit: NanoUsd | null
  /** Null means all models of the key. */
  readonly allowedModels: readonly string[] | null
}

interface InstitutionSessionTerms {
  readonly id: Uuid
  /** The same for all sessions of a person with one institution key. */
  readonly personId: Uuid
  /** Null means no quota. */
  readonly spendQuota: NanoUsd | null
  /** What the person may spend in a calendar month, over all sessions. Null means no quota. */
  readonly personMonthQuota: NanoUsd | null
  readonly hasCountedQuota: boolean
}
