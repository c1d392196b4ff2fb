import type { Nano } from './money.ts'

/** How much of a whole an amount takes, in whole percent, rounded down. A whole of zero is used up. */
export function percentOf(amount: Nano, whole: Nano): number {
  return whole <= 0n ? 100 : Number((amount * 100n) / whole)
}
