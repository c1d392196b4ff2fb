/** What an upstream may look up for one call, as far as its hold covers it. */
export interface SearchAllowance {
  readonly webSearches: number
  readonly citationTokens: number
  /** What it reads of the results, in tokens of the prompt. */
  readonly promptTokens: number
  /** How often the upstream may read the prompt: a tool that it runs starts another turn. Absent: once. */
  readonly turns?: number
  /** The upstream was told this number of searches. Otherwise it is what such calls usually stay below. */
  readonly isTold: boolean
}

export const noSearches: SearchAllowance = { webSearches: 0, citationTokens: 0, promptTokens: 0, isTold: false }
