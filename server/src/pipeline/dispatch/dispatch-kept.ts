import { assert } from '#lib/assert.ts'
import { KeptAttempt } from './attempt/kept-attempt.ts'
import type { HealthStore } from './choose/health-store.ts'
import { createDispatch, type DispatchStage } from './dispatch.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/**
 * Dispatches a request whose answer was kept. No upstream is asked: its health, its retries and the attempts of the
 * receipt say nothing about this request.
 */
export function createDispatchKept(deps: DispatchDeps): DispatchStage {
  return createDispatch({
    ...deps,
    begin: (ticket, _candidate, watcher) => {
      const { cached } = ticket.arrival
      assert(cached !== undefined, 'only a hit has no upstream')
      return { attempt: new KeptAttempt({ ticket, cached, watcher }), ignored: cached.ignored }
    },
    health: unknownHealth,
    retries: { earn: () => {}, spend: () => false },
    noteAnswered: () => {},
    settle: (ticket, outcome) => {
      ticket.attempts.length = 0
      return deps.settle(ticket, outcome)
    },
  })
}

const unknownHealth: HealthStore = {
  judge: () => ({ usable: true, isProbe: false }),
  judgeLastResort: () => ({ usable: true, isProbe: false }),
  probe: (_candidate, ask) => ask(),
  newsOf: () => null,
  opened: () => {},
  objected: () => {},
  succeeded: () => {},
  failed: () => {},
  throttled: () => 0,
  circuits: () => [],
}
