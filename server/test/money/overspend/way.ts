import type { Attack } from './attack.ts'
import type { Limit } from './victim.ts'

/** A named attack, on the wallet unless other limits are named. */
export interface Way extends Attack {
  readonly name: string
  readonly limits?: readonly Limit[]
  /**
   * The upstream respects its cap, so the operator absorbs at most the daily limit of one wallet, whether requests are
   * concurrent or not.
   */
  readonly isWithinBound?: true
  /** Streams outgrow the credit, so some must be cut off. */
  readonly isCutOff?: true
}
