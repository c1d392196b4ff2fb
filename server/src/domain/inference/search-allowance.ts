/** The searches that an upstream may make for one request, as far as the hold covers them. */
export interface SearchAllowance {
  readonly webSearches: number
  readonly citationTokens: number
  /** Prompt tokens of the search results. */
  readonly promptTokens: number
  /** How often the upstream may read the prompt: a tool that it runs starts another turn. Missing means once. */
  readonly turns?: number
  /**
   * Whether the upstream was limited to this number of searches. Otherwise it is a number that such requests usually
   * stay below.
   */
  readonly isTold: boolean
}

export const noSearches: SearchAllowance = { webSearches: 0, citationTokens: 0, promptTokens: 0, isTold: false }
