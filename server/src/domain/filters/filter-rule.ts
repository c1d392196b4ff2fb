import type { Uuid } from '#lib/uuid.ts'
import type { FilterTemplateName } from './filter-templates.ts'

/**
 * What happens to a request in which a rule fires: refused, sent without the match, or sent as it is and put on record.
 */
export const filterActions = ['block', 'redact', 'flag'] as const
export type FilterAction = (typeof filterActions)[number]

/** What a rule looks for. */
export type FilterMatcher =
  /** A word or phrase, whatever its case; not inside of longer words. */
  | { readonly kind: 'keyword'; readonly keyword: string }
  /** In the syntax of RE2, which has no constructs that take more than linear time. */
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
