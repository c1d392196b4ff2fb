import { setBounded } from '#lib/set-bounded.ts'
import type { BreakerTrip, BreakerTrips } from '#ports/organization-rules.ts'

export interface TripReporter {
  /** Returns immediately and never fails: the rejection must not wait for the log. */
  report(trip: BreakerTrip): void
}

// A tripped breaker rejects thousands of requests. The store hears of the first, and again when an entry may be due.
const retryMs = 10_000
const rememberedMax = 10_000

export function createTripReporter(deps: {
  trips: BreakerTrips
  /** Must be monotonic: `performance.now`. */
  nowMs: () => number
  onError: (error: unknown) => void
}): TripReporter {
  const quietUntilMs = new Map<string, number>()

  function keepQuiet(key: string, forMs: number): void {
    setBounded(quietUntilMs, key, deps.nowMs() + forMs, rememberedMax)
  }

  return {
    report: (trip) => {
      const key = `${trip.kind} ${trip.ownerId}`
      if ((quietUntilMs.get(key) ?? 0) > deps.nowMs()) return
      // Suppresses further reports while this one is written, and if the write fails.
      keepQuiet(key, retryMs)
      deps.trips.note(trip).then(({ quietMs }) => keepQuiet(key, quietMs), deps.onError)
    },
  }
}
