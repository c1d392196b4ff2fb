import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { AllowedModelsLayers } from '#domain/access/resolve-allowed-models.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Whose list of allowed models. */
export type ModelListOwner =
  | { readonly kind: 'organization'; readonly organizationId: Uuid }
  | { readonly kind: 'team'; readonly organizationId: Uuid; readonly teamId: Uuid }
  | { readonly kind: 'member'; readonly organizationId: Uuid; readonly memberId: Uuid }

export interface AllowedModelsStore {
  /** The owner's list with those above it; null: there is no such owner. */
  find(owner: ModelListOwner): Promise<AllowedModelsLayers | null>
  /** Replaces the owner's own list, and appends what the entry for it says. False: there is no such owner. */
  replace(owner: ModelListOwner, patterns: readonly string[], describe: DescribeChange): Promise<boolean>
}

/** The audit entry of a change, or null where nothing has changed. */
type DescribeChange = (before: readonly string[]) => AuditEntry | null

/** A rule as it is kept. */
export interface StoredFilterRule extends FilterRule {
  readonly position: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface FilterRuleStore {
  /** In the order they are tried. */
  list(organizationId: Uuid): Promise<StoredFilterRule[]>
  /** Commits all that `work` does, or nothing of it. Changes of one organization's rules follow one another. */
  change<Result>(organizationId: Uuid, work: (rules: OpenFilterRules) => Promise<Result>): Promise<Result>
}

/** An organization's rules while they are being changed. */
export interface OpenFilterRules {
  list(): Promise<StoredFilterRule[]>
  /** The times are the store's. */
  insert(rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>): Promise<StoredFilterRule>
  update(rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>): Promise<StoredFilterRule>
  delete(ruleId: Uuid): Promise<void>
  append(entry: AuditEntry): Promise<void>
}

/** The owner's own settings, then those of each wider layer. */
export type BreakerLayers = readonly [BreakerSettings, ...BreakerSettings[]]

/** The spend breakers of organizations, teams and members. */
export interface BreakerStore {
  /** Null: there is no such owner. A member's team is the one they are in now. */
  find(owner: LayerOwner): Promise<BreakerLayers | null>
  /** Spent and held in the running minute and hour. `isCounted`: the owner's breaker is on, so its windows are kept. */
  readSpend(
    owner: LayerOwner,
    options: { nowMs: number; isCounted: boolean },
  ): Promise<{ minute: NanoUsd; hour: NanoUsd }>
  /**
   * Changes the owner's own settings, appends what the entry for it says, and counts the open windows of all who may
   * inherit them anew: all of it or nothing. False: there is no such owner.
   */
  change(owner: LayerOwner, change: Partial<BreakerSettings>, describe: DescribeBreakerChange): Promise<boolean>
}

/** The audit entry of a change, or null where nothing has changed. */
type DescribeBreakerChange = (before: BreakerSettings, after: BreakerSettings) => AuditEntry | null

/** A call was refused by the spend breaker of a member, a team or an organization. */
export interface BreakerTrip {
  /** Of the window: a row of `domain/limits/scopes.ts`. */
  readonly kind: string
  readonly ownerId: Uuid
  readonly organizationId: Uuid
  readonly limit: NanoUsd
  readonly requestId: string | null
}

export interface BreakerTrips {
  /**
   * Leaves an entry in the organization's audit log, unless this scope and window left one within the hour in any
   * process. Says for how long there will be no further one.
   */
  note(trip: BreakerTrip): Promise<{ quietMs: number }>
}
