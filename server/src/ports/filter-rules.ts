import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A rule as it is kept. */
export interface StoredFilterRule extends FilterRule {
  readonly position: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface FilterRuleBook {
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
