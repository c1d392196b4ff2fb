import { completionTokensOf, promptTokensOf, type Usage } from './usage.ts'

/** The most that an upstream was told it may make, and that its model can take in. */
export interface TokenBounds {
  /** Of all choices together. */
  readonly outputTokensMax: number
  readonly contextLength: number
  readonly choiceCount: number
}

/** Some providers count the tokens that open and close each choice beside its cap. */
const framingTokens = 16

/**
 * Whether a request can have used so much: nothing is written or spoken beyond the cap, nor read beyond the context. Some providers
 * count the prompt for every choice; images in an answer have no cap, but take their place in the context.
 */
export function isBelievable(usage: Usage, { outputTokensMax, contextLength, choiceCount }: TokenBounds): boolean {
  const outputMax = outputTokensMax + framingTokens * choiceCount
  const inputMax = contextLength * choiceCount
  return (
    completionTokensOf({ ...usage, imageOutput: 0 }) <= outputMax &&
    promptTokensOf(usage) <= inputMax &&
    usage.imageOutput <= inputMax
  )
}
