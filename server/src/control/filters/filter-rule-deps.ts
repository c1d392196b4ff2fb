import type { FilterMatcher } from '#domain/filters/filter-rule.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterRuleStore, StoredFilterRule } from '#ports/organization-rules.ts'

/** Dependencies of the filter rule use cases. */
export interface FilterRuleDeps {
  readonly store: FilterRuleStore
  readonly engine: FilterEngine
  readonly announce: Announce
}

/** Describes a rule for the audit log. */
export function describeFilterRule(rule: Omit<StoredFilterRule, 'id' | 'createdAtMs' | 'updatedAtMs'>): JsonObject {
  const { name, enabled, action, matcher, position } = rule
  return { name, enabled, action, matcher: { ...matcher }, position }
}

/** Finds a rule of the organization. A rule of another organization is reported as not found. */
export function readRule(rules: readonly StoredFilterRule[], ruleId: Uuid): StoredFilterRule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new GatewayError('notFound', { message: 'Content filter not found.' })
  return rule
}

/** Rejects a matcher that does not compile, or that is too slow on adversarial texts. */
export async function refuseMatcher(engine: FilterEngine, matcher: FilterMatcher): Promise<void> {
  const verdict = await engine.judgeMatcher(matcher)
  if (!verdict.accepted) throw malformed(verdict.reason)
}
