import type { Logger } from 'pino'
import type { SnapshotFact } from '#http/operating/readiness.ts'
import { snapshotFault } from '#http/operating/snapshot-fault.ts'
import type { Failing } from '#lib/fault-watch.ts'
import { keepSnapshot, type Snapshot, type SnapshotKeeper } from '#lib/keep-snapshot.ts'
import { logFault } from '#lib/log-fault.ts'

/** A snapshot whose failed loads are logged and reported by `/ready`. */
export interface KeptSnapshot<T> extends SnapshotKeeper<T> {
  readonly failing: Failing | null
  readonly fact: SnapshotFact
}

export function keepReported<T>(
  logger: Logger,
  options: { name: string; what: string; initial: T; load: () => Promise<Snapshot<T>> },
): KeptSnapshot<T> {
  const { name, what, initial, load } = options
  const watch = logFault(logger, `failed to load the ${what}; keeping the last good one`)
  const keeper = keepSnapshot({ initial, load, report: watch })
  return {
    current: keeper.current,
    refresh: keeper.refresh,
    seeRevision: keeper.seeRevision,
    get isLoaded() {
      return keeper.isLoaded
    },
    get failing() {
      return watch.failing
    },
    get fact() {
      return { name, isLoaded: keeper.isLoaded, fault: snapshotFault(watch.failing) }
    },
  }
}
