import type { FilterAction, FilterMatcher, FilterRule } from '#domain/filters/filter-rule.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Runs rules over texts outside the event loop, within a deadline. */
export interface FilterEngine {
  inspect(request: FilterRequest): Promise<FilterFindings>
  /** Checks before a rule is saved whether it compiles and is fast enough on adversarial texts. */
  judgeMatcher(matcher: FilterMatcher): Promise<MatcherVerdict>
}

export interface FilterRequest {
  /** Identifies this version of a set of rules, so that it is compiled once. Another set needs another name. */
  readonly ruleSet: string
  /** Only enabled rules. */
  readonly rules: readonly FilterRule[]
  readonly texts: readonly string[]
}

export interface FilterFindings {
  /** In the order of the rules. Rules without a match are left out. */
  readonly hits: readonly FilterHit[]
  /** As many as were given, with every match of a `redact` rule replaced. */
  readonly texts: readonly string[]
}

export interface FilterHit {
  readonly ruleId: Uuid
  readonly action: FilterAction
  /** Prompt injections are rejected with a message of their own. */
  readonly isInjection: boolean
  /** Positions in the given texts. Overlapping matches of one rule are joined. At most 1,000. */
  readonly matches: readonly FilterMatch[]
  /** The rule did not finish in time. If it blocks or redacts, the request is rejected; a flag lets it pass. */
  readonly timedOut: boolean
}

export interface FilterMatch {
  readonly text: number
  readonly start: number
  readonly end: number
}

export type MatcherVerdict = { readonly accepted: true } | { readonly accepted: false; readonly reason: string }
