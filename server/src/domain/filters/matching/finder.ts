import type { Span } from '../text/span.ts'
import type { TextViews } from '../text/text-views.ts'

/** Finds what one rule looks for. */
export type Finder = (views: TextViews, bounds: SearchBounds) => Search

export interface SearchBounds {
  /** No more matches than these are looked for. */
  readonly matchesMax: number
  /** Asked between steps that are short by themselves. */
  readonly isLate: () => boolean
}

export interface Search {
  /** In the original text; in no order, and they may overlap. */
  readonly spans: readonly Span[]
  /** `full`: there may be more matches than were asked for. `late`: time ran out. */
  readonly end: 'done' | 'full' | 'late'
}
