import type { Logger } from 'pino'
import { logFault } from '#lib/log-fault.ts'
import { realTimers } from '#lib/timers.ts'
import { newUuid } from '#lib/uuid.ts'
import { collectRefusals, type RefusalCollector } from '#pipeline/collect-refusals.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createRefusalStore } from '#store/postgres/refusals/write-refusals.sql.ts'
import type { Metrics } from './metrics.ts'

/** Records refused requests, apart from the connections that money uses. */
export function wireRefusals(deps: {
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  nowMs: () => number
}): RefusalCollector {
  const { logger, metrics, pools, nowMs } = deps
  const collector = collectRefusals({
    store: createRefusalStore(pools.general),
    writer: newUuid(nowMs()),
    timers: realTimers,
    tell: (outcome, count) => metrics.refusalRecords.inc({ outcome }, count),
    fault: logFault(logger, 'refused requests could not be recorded yet', { level: 'warn' }),
  })
  metrics.watch(
    'weir_refusals_waiting',
    'Refused requests that this process counted and Postgres has not confirmed.',
    () => collector.waiting,
  )
  return collector
}
