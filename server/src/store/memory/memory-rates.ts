import { block, freshRateState, judgeRate, noteCancel, type RateState, readRate } from '#domain/limits/rate.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { Rates, RateSubject } from '#ports/shared-counts.ts'

/**
 * Rates counted in this process, used while Redis is unavailable. Beyond `clientsMax`, the least recently seen clients
 * are evicted.
 */
export function createMemoryRates({ clientsMax = 100_000 }: { clientsMax?: number } = {}): Rates {
  const states = new Map<string, RateState>()
  const cancels = new Map<string, number[]>()

  function stateOf({ walletId, clientId, class: rateClass }: RateSubject): RateState {
    return useRecent(states, `${walletId}:${clientId}:${rateClass}`, () => ({ ...freshRateState }), clientsMax)
  }

  return {
    async admit(subject, limit, nowMs) {
      return judgeRate(stateOf(subject), limit, nowMs)
    },
    async read(subject, limit, nowMs) {
      return readRate(stateOf(subject), limit, nowMs)
    },
    async noteUnbilledCancel(subject, keyId, nowMs) {
      const cancelsMs = useRecent<number[]>(cancels, `${subject.walletId}:${keyId}`, () => [], clientsMax)
      if (noteCancel(cancelsMs, nowMs)) block(stateOf(subject), nowMs)
    },
  }
}
