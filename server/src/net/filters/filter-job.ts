import type { CostVerdict } from '#domain/filters/matching/judge-cost.ts'
import type { FilterMatcher } from '#domain/filters/filter-rule.ts'

/** A request to a filter thread. */
export type FilterJob = InspectJob | { readonly kind: 'judge'; readonly matcher: FilterMatcher }

export interface InspectJob {
  readonly kind: 'inspect'
  readonly ruleSet: string
  /**
   * The rules as JSON: sending one string takes a tenth of the time of a hundred objects, and the thread parses it only
   * once.
   */
  readonly rules: string
  readonly texts: readonly string[]
  readonly mayScreen: boolean
}

/** The response of a filter thread. */
export type FilterAnswer = InspectAnswer | { readonly kind: 'judged'; readonly verdict: CostVerdict }

export interface InspectAnswer {
  readonly kind: 'inspected'
  readonly findings: readonly PackedFinding[]
  /** For each text, the starts and ends of the parts to replace. */
  readonly redactions: readonly Uint32Array[]
}

/**
 * A hundred rules may have a hundred thousand matches. As a flat array of numbers they cost the event loop next to
 * nothing.
 */
interface PackedFinding {
  readonly place: number
  readonly timedOut: boolean
  /** Text, start and end of each match. */
  readonly matches: Uint32Array
}
