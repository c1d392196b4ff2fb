import type { JsonObject, JsonValue } from '#lib/json.ts'
import { type FilterAction, filterActions, type FilterMatcher } from './filter-rule.ts'
import { parseFilterMatcher } from './parse-filter-matcher.ts'
import { type Parsed, parseText, refused } from './parsed.ts'

/** The fields of a rule; in a change, all are optional. */
export interface FilterRuleTerms {
  readonly name: string
  readonly enabled: boolean
  readonly action: FilterAction
  readonly matcher: FilterMatcher
  /** Rules are shown and applied in this order. */
  readonly position: number
}

export const nameLengthMax = 100
export const positionMax = 1_000_000

/** Parses the rule fields of a body. The error names the first invalid one. */
export function parseFilterRule(body: JsonObject): Parsed<Partial<FilterRuleTerms>> {
  const terms: { -readonly [Name in keyof FilterRuleTerms]?: FilterRuleTerms[Name] } = {}
  if (body.name !== undefined) {
    const name = parseText(body.name, { name: 'name', lengthMax: nameLengthMax })
    if (!name.accepted) return name
    terms.name = name.value.trim()
  }
  if (body.enabled !== undefined) {
    if (typeof body.enabled !== 'boolean') return refused('`enabled` must be true or false.')
    terms.enabled = body.enabled
  }
  if (body.action !== undefined) {
    if (!isAction(body.action)) return refused(`\`action\` must be one of ${filterActions.join(', ')}.`)
    terms.action = body.action
  }
  if (body.matcher !== undefined) {
    const matcher = parseFilterMatcher(body.matcher)
    if (!matcher.accepted) return matcher
    terms.matcher = matcher.value
  }
  if (body.position !== undefined) {
    if (!isPosition(body.position)) return refused(`\`position\` must be an integer from 0 to ${positionMax}.`)
    terms.position = body.position
  }
  return { accepted: true, value: terms }
}

function isAction(value: JsonValue): value is FilterAction {
  return filterActions.some((action) => action === value)
}

function isPosition(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= positionMax
}
