import type { Usage } from '#domain/inference/usage.ts'

/** The result of an accepted request. */
export interface Answered {
  /** Null if the provider reported no usage. */
  readonly usage: Usage | null
  /** The cost that the provider states, in nano-USD. */
  readonly statedNano?: number | undefined
  /** The earlier requests of a probe that needs more than one. */
  readonly earlier?: readonly Answered[]
  /** A note for the operator besides the cost. */
  readonly note?: string
}
