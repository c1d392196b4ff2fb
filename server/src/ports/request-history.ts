import type { Uuid } from '#lib/uuid.ts'

/** What earlier requests of a wallet used, for guessing what the next one will use. */
export interface RequestHistory {
  /** Null if there are no such requests among the latest of the wallet. */
  readTypical(which: { walletId: Uuid; model: string; endpoint: string; fromMs: number }): Promise<TypicalUse | null>
}

export interface TypicalUse {
  readonly requests: number
  /** The median, over all choices of a request. */
  readonly completionTokens: number
  readonly promptTokens: number
  /** Of all prompt tokens, those that the provider read from its cache. */
  readonly cachedTokens: number
}
