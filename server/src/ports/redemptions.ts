import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Campaign, CampaignTerms } from '#domain/payments/campaign.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'

/** Campaigns, their codes and redemptions. */
export interface Redemptions {
  /** Creates a campaign with all its codes. A repeated request creates nothing. */
  create(campaign: NewCampaign): Promise<CreatedCampaign>
  /** The newest first. */
  list(query: CampaignQuery): Promise<readonly Campaign[]>
  /** Null if there is no such campaign. */
  find(id: Uuid): Promise<Campaign | null>
  /**
   * Enables or disables a campaign. Writes the audit entry if that changed something. Null if there is no such
   * campaign.
   */
  change(id: Uuid, change: CampaignChange): Promise<Campaign | null>
  /**
   * Takes one use of a code and credits the wallet, in one transaction. Rejected with `codeNotRedeemable` if the code
   * is unknown or used up, its campaign has ended or is disabled, or the person or wallet has reached its limit.
   */
  redeem(redemption: NewRedemption): Promise<Redeemed>
}

export interface NewCampaign {
  readonly id: Uuid
  readonly terms: CampaignTerms
  readonly codeHashes: readonly Buffer[]
  readonly entry: AuditEntry
  readonly nowMs: number
  /** Null if the client sent no key. */
  readonly request: IdempotentRequest | null
}

export type CreatedCampaign =
  | { readonly outcome: 'created'; readonly campaign: Campaign }
  /** The campaign was created by an earlier request with the same key. */
  | { readonly outcome: 'created before'; readonly campaignId: Uuid }
  /** The same key was sent with another request. */
  | { readonly outcome: 'other request' }

export interface CampaignQuery {
  readonly before: Uuid | null
  readonly limit: number
}

export interface CampaignChange {
  readonly enabled: boolean
  readonly describe: (before: Campaign) => AuditEntry
  readonly nowMs: number
}

export interface NewRedemption {
  /** Also the id of the ledger transaction. */
  readonly id: Uuid
  readonly codeHash: Buffer
  readonly walletId: Uuid
  readonly userId: Uuid
  readonly identity: PersonIdentity
  readonly nowMs: number
  readonly describe: (campaign: Campaign) => AuditEntry
}

/** Identifies a person across accounts. */
export interface PersonIdentity {
  /** A keyed hash, so that only the secret's owner can match it with an address. */
  readonly hashAddress: (email: string) => Buffer
  /** False if mail is not configured, because then no person can confirm an address. */
  readonly mustBeProven: boolean
}

export interface Redeemed {
  readonly campaign: Campaign
  /** The wallet's balance, including the credit. */
  readonly balance: NanoUsd
}
