import type { Uuid } from '#lib/uuid.ts'
import type { FilterTemplateName } from './filter-templates.ts'

/** The action for a request that matches: rejected, sent without the match, or sent unchanged and recorded. */
export const filterActions = ['block', 'redact', 'flag'] as const
export type FilterAction = (typeof filterActions)[number]

/** The condition of a rule. */
export type FilterMatcher =
  /** A word or phrase, case-insensitive, not inside longer words. */
  | { readonly kind: 'keyword'; readonly keyword: string }
  /** RE2 syntax, which has no constructs that take more than linear time. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly ignoreCase: boolean }
  | { readonly kind: 'template'; readonly template: FilterTemplateName }

export interface FilterRule {
  readonly id: Uuid
  readonly name: string
  readonly enabled: boolean
  readonly action: FilterAction
  readonly matcher: FilterMatcher
}

export const filterRulesMax = 100
