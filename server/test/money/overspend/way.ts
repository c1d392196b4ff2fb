import type { Attack } from './attack.ts'
import type { Limit } from './victim.ts'

/** An attack with a name, over the wallet unless other limits are named. */
export interface Way extends Attack {
  readonly name: string
  readonly limits?: readonly Limit[]
  /**
   * The upstream keeps its word, so that the operator bears no more than the daily limit of one wallet, all at once or
   * not.
   */
  readonly isWithinBound?: true
  /** Streams outgrow what is there, so that some must be cut off. */
  readonly isCutOff?: true
}
