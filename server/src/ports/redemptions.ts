import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Campaign, CampaignTerms } from '#domain/payments/campaign.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'

/** Campaigns, their codes and what was redeemed. */
export interface Redemptions {
  /** Makes a campaign with all of its codes. A request that was made before makes nothing. */
  create(campaign: NewCampaign): Promise<CreatedCampaign>
  /** The newest first. */
  list(query: CampaignQuery): Promise<readonly Campaign[]>
  /** Null: no such campaign. */
  find(id: Uuid): Promise<Campaign | null>
  /** Switches a campaign off or on; the audit entry is written where that changed something. Null: no such campaign. */
  change(id: Uuid, change: CampaignChange): Promise<Campaign | null>
  /**
   * Takes one use of a code and credits the wallet, in one transaction. Refused with `codeNotRedeemable` where the code
   * is unknown, used up, of a campaign that has ended or is switched off, or where person or wallet have redeemed as
   * often as they may.
   */
  redeem(redemption: NewRedemption): Promise<Redeemed>
}

export interface NewCampaign {
  readonly id: Uuid
  readonly terms: CampaignTerms
  readonly codeHashes: readonly Buffer[]
  readonly entry: AuditEntry
  readonly nowMs: number
  /** Null: the client has sent no key. */
  readonly request: IdempotentRequest | null
}

export type CreatedCampaign =
  | { readonly outcome: 'created'; readonly campaign: Campaign }
  /** By an earlier request with the same key. */
  | { readonly outcome: 'created before'; readonly campaignId: Uuid }
  /** The key belongs to a request for something else. */
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
  /** Also of the ledger transaction. */
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
  /** False if mail is not configured, because a person cannot confirm an address then. */
  readonly mustBeProven: boolean
}

export interface Redeemed {
  readonly campaign: Campaign
  /** Of the wallet, with the credit. */
  readonly balance: NanoUsd
}
