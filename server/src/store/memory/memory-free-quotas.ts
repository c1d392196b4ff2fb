import { type FreeState, freshFreeState, judgeFree } from '#domain/limits/free-quota.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { FreeQuotas } from '#ports/shared-counts.ts'

/** Quotas of this process alone, for when Redis is away. Those longest unseen are forgotten beyond `maxQuotas`. */
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
