import type { FilterMatcher } from '#domain/filters/filter-rule.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterRuleStore, StoredFilterRule } from '#ports/organization-rules.ts'

/** What the use cases of filter rules need. */
export interface FilterRuleDeps {
  readonly store: FilterRuleStore
  readonly engine: FilterEngine
  readonly announce: Announce
}

/** What a rule is made of, for the audit log. */
export function describeFilterRule(rule: Omit<StoredFilterRule, 'id' | 'createdAtMs' | 'updatedAtMs'>): JsonObject {
  const { name, enabled, action, matcher, position } = rule
  return { name, enabled, action, matcher: { ...matcher }, position }
}

/** The rule of an organization; rules of others are refused like rules that never were. */
export function readRule(rules: readonly StoredFilterRule[], ruleId: Uuid): StoredFilterRule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new GatewayError('notFound', { message: 'Content filter not found.' })
  return rule
}

/** Refuses what cannot be compiled, or is too slow on texts that are made to slow it down. */
export async function refuseMatcher(engine: FilterEngine, matcher: FilterMatcher): Promise<void> {
  const verdict = await engine.judgeMatcher(matcher)
  if (!verdict.accepted) throw malformed(verdict.reason)
}
