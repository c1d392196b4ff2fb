import { completionTokensOf, promptTokensOf, type Usage } from './usage.ts'

/** The most that an upstream was told it may make, and that its model can take in. */
export interface TokenBounds {
  /** Of all choices together. */
  readonly outputTokensMax: number
  readonly contextLength: number
  readonly choiceCount: number
}

/**
 * Whether a request can have used so much. Providers count a little more or less than was expected, and some count the prompt for
 * every choice; but nothing is made beyond the cap, nor read beyond the context.
 */
export function isBelievable(usage: Usage, { outputTokensMax, contextLength, choiceCount }: TokenBounds): boolean {
  return promptTokensOf(usage) + completionTokensOf(usage) <= outputTokensMax + contextLength * choiceCount
}
