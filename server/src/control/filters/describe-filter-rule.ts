import type { JsonObject } from '#lib/json.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'

/** What a rule is made of, for the audit log. */
export function describeFilterRule(rule: Omit<StoredFilterRule, 'id' | 'createdAtMs' | 'updatedAtMs'>): JsonObject {
  const { name, enabled, action, matcher, position } = rule
  return { name, enabled, action, matcher: { ...matcher }, position }
}
