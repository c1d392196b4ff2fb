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
 * The decisions of operators. Every change advances a revision and writes its audit entry in the same transaction.
 * Without a change there is no entry.
 */
export interface Operators {
  /** Returns false if the name is taken. */
  addAccount(account: NewProviderAccount, entry: AuditEntry): Promise<boolean>
  listAccounts(): Promise<ProviderAccountListing[]>
  /** Accounts with an open circuit in some gateway. */
  listCircuits(): Promise<AccountCircuits[]>
  /** Omitted fields stay unchanged. Null if the account does not exist. */
  changeAccount(
    name: string,
    change: ProviderAccountChange,
    describe: DescribeAccountChange,
  ): Promise<ProviderAccountListing | null>
  addRoute(route: NewRoute, entry: AuditEntry): Promise<'added' | 'exists' | 'no such account'>
  listRoutes(): Promise<RouteListing[]>
  /** Returns false if there is no such route. */
  removeRoute(route: { pattern: string; accountName: string }, entry: AuditEntry): Promise<boolean>
  setBrake(state: BrakeState, entry: AuditEntry): Promise<void>
  readBrake(): Promise<BrakeState>
}

/** How an account takes part in routing. */
export interface ProviderAccountTerms {
  /** Its share of requests among accounts of the same vendor. */
  weight: number
  /** Null for the vendor's default. */
  keepsPrompts: boolean | null
  /** The region or service tier whose offers apply. Empty: derived from its base URL. */
  variant: string
  /** The API for the account's conversations. Null: the API that the offers name. */
  api: UpstreamApi | null
  /** The operator's discount, in millionths of the price. */
  discountPpm: number
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
  /** Encrypted for the account's id by a process that has the key. */
  sealCredential?: (accountId: Uuid) => Sealed
  /** Computed from the current account. */
  overridesOf?: (account: ProviderAccountListing) => readonly ModelOverrides[]
}

/** Null if nothing changed. */
export type DescribeAccountChange = (before: ProviderAccountListing, after: ProviderAccountListing) => AuditEntry | null

/** Never contains the credential or a part of it. */
export interface ProviderAccountListing extends ProviderAccountTerms {
  id: Uuid
  name: string
  vendor: string
  baseUrl: string | null
  hasCredential: boolean
  enabled: boolean
  /** The operator's corrections to the built-in tables of fields that the provider accepts. */
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

/** The models behind the tiers of `auto`. Every change advances a revision and is audited in the same transaction. */
export interface AutoTierStore {
  /** In tier order, the paid table first. */
  list(): Promise<readonly TierRow[]>
  /** Omitted fields stay unchanged. */
  change(
    place: Pick<TierRow, 'table' | 'tier'>,
    change: Partial<TierModels>,
    describe: (before: TierModels, after: TierModels) => AuditEntry | null,
  ): Promise<TierRow>
}

/** The free models and their quotas. Every change advances a revision and is audited in the same transaction. */
export interface FreeModelStore {
  list(): Promise<readonly (FreeModel & { readonly modelId: string })[]>
  /** Omitted fields stay unchanged, or get the defaults of a new free model. */
  set(modelId: string, change: Partial<FreeModel>, describe: DescribeFreeModel): Promise<FreeModel>
  /** Returns false if there was none. */
  remove(modelId: string, describe: DescribeFreeModel): Promise<boolean>
}

type DescribeFreeModel = (states: { before?: JsonObject; after?: JsonObject }) => AuditEntry

/** All encrypted values in the store. */
export interface SealedSecrets {
  /** The tables that contain secrets, by name. */
  readonly places: readonly string[]
  /**
   * Passes one page of secrets under another key than `keyId`, in order after `after`, and locks them meanwhile. The
   * returned values replace them in one transaction with the audit entry. Null if none are left.
   */
  replacePage(
    page: { place: string; keyId: string; after: Uuid | null; limit: number },
    replace: (stale: readonly StaleSecret[]) => { replaced: readonly StaleSecret[]; entry: AuditEntry | null },
  ): Promise<{ last: Uuid } | null>
}

export interface StaleSecret {
  readonly id: Uuid
  readonly sealed: Sealed
  /** Its associated data. */
  readonly associated: string
}
