import type { FilterAction, FilterMatcher } from '#domain/filters/filter-rule.ts'
import type { StoredFilterRule } from '#ports/filter-rules.ts'

/** What every statement about rules answers with. */
export const filterRuleColumns = 'id, name, enabled, action, matcher, position, created_at, updated_at'

export interface FilterRuleRow {
  id: string
  name: string
  enabled: boolean
  action: FilterAction
  matcher: FilterMatcher
  position: number
  created_at: Date
  updated_at: Date
}

export function readFilterRule({ created_at, updated_at, ...rule }: FilterRuleRow): StoredFilterRule {
  return { ...rule, createdAtMs: created_at.getTime(), updatedAtMs: updated_at.getTime() }
}
