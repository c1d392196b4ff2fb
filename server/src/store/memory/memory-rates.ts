import { block, freshRateState, judgeRate, noteCancel, type RateState } from '#domain/limits/rate.ts'
import type { RateSubject, Rates } from '#ports/rates.ts'

/** Rates of this process alone, for when Redis is away. The callers longest unseen are forgotten beyond `maxCallers`. */
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
    async noteUnbilledCancel(subject, keyId, nowMs) {
      const cancelsMs = useRecent<number[]>(cancels, `${subject.walletId}:${keyId}`, () => [], maxCallers)
      if (noteCancel(cancelsMs, nowMs)) block(stateOf(subject), nowMs)
    },
  }
}

/** The value of a key, made if need be and moved to the end of the map, whose beginning is dropped when it is full. */
function useRecent<Value>(map: Map<string, Value>, key: string, make: () => Value, maxSize: number): Value {
  const value = map.get(key) ?? make()
  map.delete(key)
  map.set(key, value)
  if (map.size > maxSize) {
    const [first] = map.keys()
    if (first !== undefined) map.delete(first)
  }
  return value
}
