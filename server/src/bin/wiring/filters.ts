import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { createFilterThreads, type FilterThreads, type FilterThreadsOptions } from '#net/filters/filter-threads.ts'
import { createThreadsWhenNeeded } from '#net/filters/threads-when-needed.ts'
import { createRuleCache, type RuleCache } from '#pipeline/guard/rule-cache.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterRuleStore } from '#ports/organization-rules.ts'
import { createFilterRuleStore } from '#store/postgres/filters/filter-rule-store.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { programFiles } from '../program-files.ts'

export interface Filters {
  engine: FilterEngine
  store: FilterRuleStore
  rules: RuleCache
  close(): Promise<void>
}

/** Content filters: the rules of each organization, and the engine that runs them. */
export function wireFilters(deps: {
  pools: PostgresPools
  logger: Logger
  timeoutMs: number
  loadTimeoutMs: number
  nowMs: () => number
}): Filters {
  const { pools, logger, timeoutMs, loadTimeoutMs, nowMs } = deps
  const store = createFilterRuleStore(pools.general, nowMs)
  const engine = createThreadsWhenNeeded({
    timeoutMs,
    start: () =>
      createFilterEngine({
        timeoutMs,
        onThreadLost: (error) => logger.warn({ err: error }, 'a content filter thread crashed'),
      }),
  })
  return {
    engine,
    store,
    rules: createRuleCache({ load: store.list, clock: nowMs, loadTimeoutMs }),
    close: engine.close,
  }
}

/** Creates the filter engine of a process, with the file that its threads run. */
export function createFilterEngine(
  options: Omit<FilterThreadsOptions, 'entry' | 'compileCacheFolder'> = {},
): FilterThreads {
  const { filterWorker, compileCacheFolder } = programFiles
  return createFilterThreads({ ...options, entry: pathToFileURL(filterWorker), compileCacheFolder })
}
