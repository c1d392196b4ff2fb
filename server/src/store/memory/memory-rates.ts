import { block, freshRateState, judgeRate, noteCancel, type RateState, readRate } from '#domain/limits/rate.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { Rates, RateSubject } from '#ports/shared-counts.ts'

/** Rates of this process alone, for when Redis is away. The clients longest unseen are forgotten beyond `maxCallers`. */
export function createMemoryRates({ maxCallers = 100_000 }: { maxCallers?: number } = {}): Rates {
  const states = new Map<string, RateState>()
  const cancels = new Map<string, number[]>()

  function stateOf({ walletId, callerId, class: rateClass }: RateSubject): RateState {
    return useRecent(states, `${walletId}:${callerId}:${rateClass}`, () => ({ ...freshRateState }), maxCallers)
  }

  return {
    async admit(subject, limit, nowMs) {
      return judgeRate(stateOf(subject), limit, nowMs)
    },
    async read(subject, limit, nowMs) {
      return readRate(stateOf(subject), limit, nowMs)
    },
    async noteUnbilledCancel(subject, keyId, nowMs) {
      const cancelsMs = useRecent<number[]>(cancels, `${subject.walletId}:${keyId}`, () => [], maxCallers)
      if (noteCancel(cancelsMs, nowMs)) block(stateOf(subject), nowMs)
    },
  }
}
