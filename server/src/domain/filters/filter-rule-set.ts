import { hash } from 'node:crypto'
import type { FilterRule } from './filter-rule.ts'

/** Rules that run together, under a unique name, so that the same rules are compiled once. */
export interface FilterRuleSet {
  readonly ruleSet: string
  readonly rules: readonly FilterRule[]
}

/** The enabled rules, in the engine's format. */
export function filterRuleSet(rules: readonly FilterRule[]): FilterRuleSet {
  const enabled = rules
    .filter((rule) => rule.enabled)
    .map(({ id, name, action, matcher }) => ({ id, name, enabled: true, action, matcher }))
  return { ruleSet: hash('sha256', JSON.stringify(enabled)), rules: enabled }
}
