import type { ConversationName, ProtocolName } from './axes.ts'
import type { Feature } from './features.ts'

/** Combinations that an upstream of some protocol cannot provide, and why. */
export const impossibleCells: readonly ImpossibleCell[] = []

interface ImpossibleCell {
  readonly protocol: ProtocolName
  readonly feature: Feature
  readonly dialect: ConversationName
  readonly stream: boolean
  readonly reason: string
}
