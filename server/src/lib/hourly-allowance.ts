import { setBounded } from './set-bounded.ts'

const hourMs = 3_600_000

/** An allowance per hour and key. Beyond `keysMax`, the least recently seen keys are evicted. */
export function createHourlyAllowance({ perHour, keysMax = 10_000 }: { perHour: number; keysMax?: number }) {
  const used = new Map<string, { startMs: number; count: number }>()
  return {
    /** Takes one unit, unless the hour's allowance is used up. */
    take(key: string, nowMs: number): boolean {
      const known = used.get(key)
      const entry = known === undefined || nowMs - known.startMs >= hourMs ? { startMs: nowMs, count: 0 } : known
      setBounded(used, key, entry, keysMax)
      if (entry.count >= perHour) return false
      entry.count += 1
      return true
    },
  }
}
