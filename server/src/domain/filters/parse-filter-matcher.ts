import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { FilterMatcher } from './filter-rule.ts'
import { filterTemplates, type FilterTemplateName } from './filter-templates.ts'
import { type Parsed, parseText, refused } from './parsed.ts'

export const keywordLengthMax = 200
export const patternLengthMax = 1_000

/** Parses the condition of a rule. The engine decides whether a pattern compiles. */
export function parseFilterMatcher(value: JsonValue | undefined): Parsed<FilterMatcher> {
  if (!isJsonObject(value)) return refused('`matcher` must be an object with a `kind`.')
  switch (value.kind) {
    case 'keyword': {
      const keyword = parseText(value.keyword, { name: 'matcher.keyword', lengthMax: keywordLengthMax })
      return keyword.accepted ? { accepted: true, value: { kind: 'keyword', keyword: keyword.value } } : keyword
    }
    case 'regex': {
      const pattern = parseText(value.pattern, { name: 'matcher.pattern', lengthMax: patternLengthMax })
      if (!pattern.accepted) return pattern
      const ignoreCase = value.ignoreCase ?? false
      if (typeof ignoreCase !== 'boolean') return refused('`matcher.ignoreCase` must be true or false.')
      return { accepted: true, value: { kind: 'regex', pattern: pattern.value, ignoreCase } }
    }
    case 'template': {
      const { template } = value
      if (isTemplateName(template)) return { accepted: true, value: { kind: 'template', template } }
      return refused(`\`matcher.template\` must be one of ${Object.keys(filterTemplates).join(', ')}.`)
    }
    default:
      return refused('`matcher.kind` must be one of keyword, regex, template.')
  }
}

export function isTemplateName(value: unknown): value is FilterTemplateName {
  return typeof value === 'string' && Object.hasOwn(filterTemplates, value)
}
