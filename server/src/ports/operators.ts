import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import type { TierModels, TierRow } from '#domain/routing/auto/auto-tables.ts'
import type { FreeModel } from '#domain/routing/free-models.ts'
import type { ModelOverrides } from '#domain/routing/trait-overrides.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AccountCircuits } from './circuits.ts'

/**
 * What the people who run the service decide. Every change moves a revision and writes its audit entry in the same
 * transaction; what changes nothing leaves no entry.
 */
export interface Operators {
  /** False: the name is taken. */
  addAccount(account: NewProviderAccount, entry: AuditEntry): Promise<boolean>
  listAccounts(): Promise<ProviderAccountListing[]>
  /** Of accounts with an open circuit breaker in some gateway. */
  listCircuits(): Promise<AccountCircuits[]>
  /** What is left out stays as it is. Null: no such account. */
  changeAccount(
    name: string,
    change: ProviderAccountChange,
    describe: DescribeAccountChange,
  ): Promise<ProviderAccountListing | null>
  addRoute(route: NewRoute, entry: AuditEntry): Promise<'added' | 'exists' | 'no such account'>
  listRoutes(): Promise<RouteListing[]>
  /** False: no such route. */
  removeRoute(route: { pattern: string; accountName: string }, entry: AuditEntry): Promise<boolean>
  setBrake(state: BrakeState, entry: AuditEntry): Promise<void>
  readBrake(): Promise<BrakeState>
}

/** How an account takes part in routing. */
export interface ProviderAccountTerms {
  /** Its share of requests among accounts with the same vendor. */
  weight: number
  /** Null: as the vendor does. */
  keepsPrompts: boolean | null
  /** The region or service tier whose offers hold for it; empty: told by its address. */
  variant: string
  /** The interface that its conversations go through; null: as the offers say. */
  api: UpstreamApi | null
}

export interface NewProviderAccount extends ProviderAccountTerms {
  id: Uuid
  name: string
  vendor: string
  baseUrl: string | null
  credential: Sealed | null
}

export interface ProviderAccountChange extends Partial<ProviderAccountTerms> {
  enabled?: boolean
  /** Sealed for the account's id by a process that knows the key. */
  sealCredential?: (accountId: Uuid) => Sealed
  /** From the account as it is. */
  overridesOf?: (account: ProviderAccountListing) => readonly ModelOverrides[]
}

/** Null where nothing was changed. */
export type DescribeAccountChange = (before: ProviderAccountListing, after: ProviderAccountListing) => AuditEntry | null

/** Never the credential, not even a part of it. */
export interface ProviderAccountListing extends ProviderAccountTerms {
  id: Uuid
  name: string
  vendor: string
  baseUrl: string | null
  hasCredential: boolean
  enabled: boolean
  /** Where the operator knows better than the program's tables what the provider takes. */
  overrides: readonly ModelOverrides[]
}

export interface NewRoute {
  id: Uuid
  pattern: string
  accountName: string
  upstreamModel: string | null
  priority: number
}

export interface RouteListing {
  pattern: string
  accountName: string
  upstreamModel: string | null
  priority: number
  accountEnabled: boolean
}

/** Which models serve the tiers of `auto`. Every change moves a revision and is audited in the same transaction. */
export interface AutoTierStore {
  /** In the order of the tiers, the paid table first. */
  list(): Promise<readonly TierRow[]>
  /** What is left out stays as it is. */
  change(
    place: Pick<TierRow, 'table' | 'tier'>,
    change: Partial<TierModels>,
    describe: (before: TierModels, after: TierModels) => AuditEntry | null,
  ): Promise<TierRow>
}

/**
 * Which models are free, and within which quotas. Every change moves a revision and is audited in the same transaction.
 */
export interface FreeModelStore {
  list(): Promise<readonly (FreeModel & { readonly modelId: string })[]>
  /** What is left out stays as it is, or is as usual for a new one. */
  set(modelId: string, change: Partial<FreeModel>, describe: DescribeFreeModel): Promise<FreeModel>
  /** False: there was none. */
  remove(modelId: string, describe: DescribeFreeModel): Promise<boolean>
}

type DescribeFreeModel = (states: { before?: JsonObject; after?: JsonObject }) => AuditEntry

/** Everything in the store that is sealed, wherever it is. */
export interface SealedSecrets {
  /** The places where secrets are kept, by the names of their tables. */
  readonly places: readonly string[]
  /**
   * Goes on behind `after` and hands over secrets that are under another key, a page at a time, kept from others
   * meanwhile. What the client gives back replaces them in one transaction with the audit entry. Null: there are none
   * left.
   */
  replacePage(
    page: { place: string; keyId: string; after: Uuid | null; limit: number },
    replace: (stale: readonly StaleSecret[]) => { replaced: readonly StaleSecret[]; entry: AuditEntry | null },
  ): Promise<{ last: Uuid } | null>
}

export interface StaleSecret {
  readonly id: Uuid
  readonly sealed: Sealed
  /** What it was sealed for. */
  readonly associated: string
}
