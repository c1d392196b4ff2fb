import type { Announce } from '#ports/announce.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterRuleBook } from '#ports/organization-rules.ts'

/** What the use cases of filter rules need. */
export interface FilterRuleDeps {
  readonly book: FilterRuleBook
  readonly engine: FilterEngine
  readonly announce: Announce
}
