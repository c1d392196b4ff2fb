import type { FilterAction, FilterMatcher, FilterRule } from '#domain/filters/filter-rule.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Runs rules over texts off the event loop, within a deadline. */
export interface FilterEngine {
  inspect(request: FilterRequest): Promise<FilterFindings>
  /** Before a rule is saved: whether it can be compiled, and fast enough on texts made to slow it down. */
  judgeMatcher(matcher: FilterMatcher): Promise<MatcherVerdict>
}

export interface FilterRequest {
  /** Names this set of rules in this version, so that it is compiled once; another set needs another name. */
  readonly ruleSet: string
  /** Only those that are enabled. */
  readonly rules: readonly FilterRule[]
  readonly texts: readonly string[]
}

export interface FilterFindings {
  /** In the order of the rules; rules that found nothing are left out. */
  readonly hits: readonly FilterHit[]
  /** As many as were given, with every match of a `redact` rule replaced. */
  readonly texts: readonly string[]
}

export interface FilterHit {
  readonly ruleId: Uuid
  readonly action: FilterAction
  /** Refused in other words than the rest. */
  readonly isInjection: boolean
  /** Where in the texts as given; overlapping matches of one rule are joined. At most 1,000. */
  readonly matches: readonly FilterMatch[]
  /**
   * The rule did not come to an end in time. Where it blocks or redacts the request is refused; a flag lets it pass.
   */
  readonly timedOut: boolean
}

export interface FilterMatch {
  readonly text: number
  readonly start: number
  readonly end: number
}

export type MatcherVerdict = { readonly accepted: true } | { readonly accepted: false; readonly reason: string }
