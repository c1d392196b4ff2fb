import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'

/** What is left unpaid, paid and under way, by subject. Subjects are hashes. All of it may be lost without losing money. */
export interface Unbilled {
  /** Adds to the sums and gives what they are then. */
  add(subject: string, change: UnbilledChange, nowMs: number): Promise<UnbilledSums>
}

export interface UnbilledChange {
  readonly left?: NanoUsd
  readonly paid?: NanoUsd
  /** Below zero for a request that has ended. */
  readonly underWay?: NanoUsd
  /** When the request that is under way began; its estimate is forgotten with that hour and the next, whatever became of it. */
  readonly sinceMs?: number
}
