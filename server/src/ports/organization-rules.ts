import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { AllowedModelsLayers } from '#domain/access/resolve-allowed-models.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The owner of a list of allowed models. */
export type ModelListOwner =
  | { readonly kind: 'organization'; readonly organizationId: Uuid }
  | { readonly kind: 'team'; readonly organizationId: Uuid; readonly teamId: Uuid }
  | { readonly kind: 'member'; readonly organizationId: Uuid; readonly memberId: Uuid }

export interface AllowedModelsStore {
  /** The owner's list with the lists of wider layers. Null if the owner does not exist. */
  find(owner: ModelListOwner): Promise<AllowedModelsLayers | null>
  /** Replaces the owner's own list and appends the audit entry. Returns false if the owner does not exist. */
  replace(owner: ModelListOwner, patterns: readonly string[], describe: DescribeChange): Promise<boolean>
}

/** The audit entry of a change, or null if nothing changed. */
type DescribeChange = (before: readonly string[]) => AuditEntry | null

/** A rule as it is stored. */
export interface StoredFilterRule extends FilterRule {
  readonly position: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface FilterRuleStore {
  /** In the order in which they are tried. */
  list(organizationId: Uuid): Promise<StoredFilterRule[]>
  /** Commits everything that `work` does, or nothing. Changes to one organization's rules are serialized. */
  change<Result>(organizationId: Uuid, work: (rules: OpenFilterRules) => Promise<Result>): Promise<Result>
}

/** An organization's rules while they are being changed. */
export interface OpenFilterRules {
  list(): Promise<StoredFilterRule[]>
  /** The store sets the times. */
  insert(rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>): Promise<StoredFilterRule>
  update(rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>): Promise<StoredFilterRule>
  delete(ruleId: Uuid): Promise<void>
  append(entry: AuditEntry): Promise<void>
}

/** The owner's own settings, then those of each wider layer. */
export type BreakerLayers = readonly [BreakerSettings, ...BreakerSettings[]]

/** The spend breakers of organizations, teams and members. */
export interface BreakerStore {
  /** Null if the owner does not exist. A member's team is their current team. */
  find(owner: LayerOwner): Promise<BreakerLayers | null>
  /**
   * Spent and held in the current minute and hour. `isCounted`: the owner's breaker is on, so its windows are counted.
   */
  readSpend(
    owner: LayerOwner,
    options: { nowMs: number; isCounted: boolean },
  ): Promise<{ minute: NanoUsd; hour: NanoUsd }>
  /**
   * Changes the owner's own settings, appends the audit entry, and recounts the open windows of all members and teams
   * that may inherit them, in one transaction. Returns false if the owner does not exist.
   */
  change(owner: LayerOwner, change: Partial<BreakerSettings>, describe: DescribeBreakerChange): Promise<boolean>
}

/** The audit entry of a change, or null if nothing changed. */
type DescribeBreakerChange = (before: BreakerSettings, after: BreakerSettings) => AuditEntry | null

/** The spend breaker of a member, a team or an organization rejected a request. */
export interface BreakerTrip {
  /** Kind of the window: a row of `domain/limits/scopes.ts`. */
  readonly kind: string
  readonly ownerId: Uuid
  readonly organizationId: Uuid
  readonly limit: NanoUsd
  readonly requestId: string | null
}

export interface BreakerTrips {
  /**
   * Writes an entry to the organization's audit log, unless any process wrote one for this scope and window within the
   * hour. Returns how long further entries are suppressed.
   */
  note(trip: BreakerTrip): Promise<{ quietMs: number }>
}
