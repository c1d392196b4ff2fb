import { hash } from 'node:crypto'
import type { FilterRule } from './filter-rule.ts'

/** Rules that are tried together, under a name that no other set has: the same rules are compiled once. */
export interface FilterRuleSet {
  readonly ruleSet: string
  readonly rules: readonly FilterRule[]
}

/** Those that are enabled, as the engine takes them. */
export function filterRuleSet(rules: readonly FilterRule[]): FilterRuleSet {
  const enabled = rules
    .filter((rule) => rule.enabled)
    .map(({ id, name, action, matcher }) => ({ id, name, enabled: true, action, matcher }))
  return { ruleSet: hash('sha256', JSON.stringify(enabled)), rules: enabled }
}
