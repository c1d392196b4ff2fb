import { completionTokensOf, promptTokensOf, type Usage } from './usage.ts'

/** The most that an upstream was told it may make, and that its model can take in. */
export interface TokenBounds {
  /** Of all choices together. */
  readonly outputTokensMax: number
  readonly contextLength: number
  readonly choiceCount: number
  /** How often each choice may read the prompt. Absent: once. */
  readonly turns?: number
  /** Searches that the upstream was told it may make; null where it could not be told. */
  readonly searchesTold: number | null
}

/** Some providers count the tokens that open and close each choice beside its cap. */
const framingTokens = 16

/**
 * Of upstreams that take no bound. A deep research made 74 searches and quoted 7,299 tokens; a wrong report must not
 * empty a wallet.
 */
export const searchesBelieved = 1_000
export const citationTokensBelieved = 1_000_000

/**
 * Whether a request can have used so much: nothing is written or spoken beyond the cap, nor read beyond the context.
 * Some providers count the prompt for every choice; images in an answer have no cap, but take their place in the
 * context.
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

/** The most that all choices can read in all turns. */
export function readTokensMax({ contextLength, choiceCount, turns = 1 }: TokenBounds): number {
  return contextLength * choiceCount * turns
}

function areSearchesBelievable({ media = {} }: Usage, { searchesTold }: TokenBounds): boolean {
  const { webSearches = 0, citationTokens = 0 } = media
  return webSearches <= (searchesTold ?? searchesBelieved) && citationTokens <= citationTokensBelieved
}
