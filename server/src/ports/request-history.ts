import type { Uuid } from '#lib/uuid.ts'

/** What earlier requests of a wallet used, for guessing what the next one will use. */
export interface RequestHistory {
  /** By model. A model without such requests among the latest of the wallet is left out. */
  readTypical(which: {
    walletId: Uuid
    models: readonly string[]
    endpoint: string
    fromMs: number
  }): Promise<ReadonlyMap<string, TypicalUse>>
}

export interface TypicalUse {
  readonly requests: number
  /** The median, over all choices of a request. */
  readonly completionTokens: number
  readonly promptTokens: number
  /** Of all prompt tokens, those that the provider read from its cache. */
  readonly cachedTokens: number
}
