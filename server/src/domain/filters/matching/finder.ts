import type { Span } from '../text/span.ts'
import type { TextViews } from '../text/text-views.ts'

/** Finds the matches of one rule. */
export type Finder = (views: TextViews, bounds: SearchBounds) => Search

export interface SearchBounds {
  /** The search stops after this many matches. */
  readonly matchesMax: number
  /** Checked between short steps. */
  readonly isLate: () => boolean
}

export interface Search {
  /** In the original text, unordered and possibly overlapping. */
  readonly spans: readonly Span[]
  /** `full`: there may be more matches than requested. `late`: time ran out. */
  readonly end: 'done' | 'full' | 'late'
}
