import { type FreeState, freshFreeState, judgeFree } from '#domain/limits/free-quota.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { FreeQuotas } from '#ports/shared-counts.ts'

/**
 * Quotas counted in this process, used while Redis is unavailable. Beyond `maxQuotas`, the least recently seen are
 * evicted.
 */
export function createMemoryFreeQuotas({ maxQuotas = 100_000 }: { maxQuotas?: number } = {}): FreeQuotas {
  const states = new Map<string, FreeState>()
  return {
    ask: async ({ ownerId, clientId }, asks, { takesFirst, nowMs }) =>
      asks.map((ask, index) => {
        const key = `${ownerId}:${clientId}:${ask.name}`
        const state = useRecent(states, key, () => ({ ...freshFreeState }), maxQuotas)
        return judgeFree(state, ask, { takes: takesFirst && index === 0, nowMs })
      }),
  }
}
