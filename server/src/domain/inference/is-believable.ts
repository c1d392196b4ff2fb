import { completionTokensOf, promptTokensOf, type Usage } from './usage.ts'

/** The output cap of the request, and the model's context length. */
export interface TokenBounds {
  /** For all choices together. */
  readonly outputTokensMax: number
  readonly contextLength: number
  readonly choiceCount: number
  /** How often each choice may read the prompt; missing means once. */
  readonly turns?: number
  /** The number of searches that the upstream was limited to; null if it takes no limit. */
  readonly searchesTold: number | null
}

/** Some providers count the tokens that open and close each choice in addition to its cap. */
const framingTokens = 16

/**
 * For upstreams that take no search limit. A deep research request made 74 searches and quoted 7,299 tokens; a wrong
 * report must not empty a wallet.
 */
export const searchesBelieved = 1_000
export const citationTokensBelieved = 1_000_000

/**
 * Whether a request can have used this much: output cannot exceed the cap, nor input the context. Some providers count
 * the prompt for every choice; images in the output have no cap, but count towards the context.
 */
export function isBelievable(usage: Usage, bounds: TokenBounds): boolean {
  const outputMax = bounds.outputTokensMax + framingTokens * bounds.choiceCount
  const inputMax = readTokensMax(bounds)
  return (
    completionTokensOf({ ...usage, imageOutput: 0 }) <= outputMax &&
    promptTokensOf(usage) <= inputMax &&
    usage.imageOutput <= inputMax &&
    areSearchesBelievable(usage, bounds)
  )
}

/** The most input tokens of all choices in all turns. */
export function readTokensMax({ contextLength, choiceCount, turns = 1 }: TokenBounds): number {
  return contextLength * choiceCount * turns
}

function areSearchesBelievable({ media = {} }: Usage, { searchesTold }: TokenBounds): boolean {
  const { webSearches = 0, citationTokens = 0 } = media
  return webSearches <= (searchesTold ?? searchesBelieved) && citationTokens <= citationTokensBelieved
}
