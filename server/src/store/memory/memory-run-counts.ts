import { setBounded } from '#lib/set-bounded.ts'
import type { RunCounts } from '#ports/run-counts.ts'

interface Count {
  readonly value: number
  readonly endsAtMs: number
}

/** Counters of this process, used while Redis is unavailable. Beyond `maxCounters`, the oldest are evicted. */
export function createMemoryRunCounts({ maxCounters = 100_000 }: { maxCounters?: number } = {}): RunCounts {
  const counts = new Map<string, Count>()
  return {
    count: async (runId, counters, nowMs) =>
      counters.map(({ name, keptMs }) => {
        const key = `${runId}:${name}`
        const known = counts.get(key)
        const value = known === undefined || known.endsAtMs <= nowMs ? 1 : known.value + 1
        setBounded(counts, key, { value, endsAtMs: nowMs + keptMs }, maxCounters)
        return value
      }),
  }
}
