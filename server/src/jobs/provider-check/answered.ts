import type { Usage } from '#domain/inference/usage.ts'

/** What came of a call that was accepted. */
export interface Answered {
  /** Null where the provider counted nothing. */
  readonly usage: Usage | null
  /** What the provider says that it cost, in nano-USD. */
  readonly statedNano?: number | undefined
  /** The calls before it, of probes that need more than one. */
  readonly earlier?: readonly Answered[]
  /** What a person should know about it beyond its cost. */
  readonly note?: string
}
