import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { errorText } from '#lib/error-text.ts'
import { newSpanId } from '#lib/span-id.ts'
import { createResilientFailures } from '#pipeline/admit/resilient-failures.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import type { Failures, FreeQuotas, Unbilled } from '#ports/shared-counts.ts'
import type { RunCounts } from '#ports/run-counts.ts'
import { createMemoryFailures } from '#store/memory/memory-failures.ts'
import { createMemoryFreeQuotas } from '#store/memory/memory-free-quotas.ts'
import { createMemoryRunCounts } from '#store/memory/memory-run-counts.ts'
import { createRedisRunCounts } from '#store/redis/redis-run-counts.ts'
import { createRedisFailures } from '#store/redis/redis-failures.ts'
import { createRedisFreeQuotas } from '#store/redis/redis-free-quotas.ts'
import { createRedisUnbilled, type SharedUnbilled, subscribeUnbilled } from '#store/redis/redis-unbilled.ts'
import { createSyncedUnbilled } from '#store/redis/synced-unbilled.ts'

export interface Counters {
  freeQuotas: FreeQuotas
  failures: Failures
  unbilled: Unbilled
  runCounts: RunCounts
  /** Sends what Redis has not been told yet. */
  close(): Promise<void>
}

/** Redis counters shared by all processes, except the rate limits, with local counters during an outage. */
export function wireCounters(deps: {
  config: Config
  logger: Logger
  redis: Redis
  /** Subscribes to what other processes announce. */
  subscriber: Redis
  prefix: string
  nowMs: () => number
}): Counters {
  const { config, logger, redis, subscriber, prefix, nowMs } = deps
  const fallingBack = (what: string) => ({
    timeoutMs: config.redis.budgetMs,
    onDegraded: (error: unknown) =>
      logger.warn({ error: errorText(error) }, `Redis is slow or unavailable; this process counts ${what} on its own`),
  })
  const quotas = createWithFallback<FreeQuotas>({
    primary: createRedisFreeQuotas({ redis, prefix }),
    fallback: createMemoryFreeQuotas(),
    ...fallingBack('free calls'),
  })
  const runCounts = createWithFallback<RunCounts>({
    primary: createRedisRunCounts({ redis, prefix }),
    fallback: createMemoryRunCounts(),
    ...fallingBack('requests of runs'),
  })
  const sender = newSpanId()
  const sums = createWithFallback<Pick<SharedUnbilled, 'sync'> | { sync: () => Promise<null> }>({
    primary: createRedisUnbilled({ redis, prefix, sender }),
    fallback: { sync: async () => null },
    ...fallingBack('unbilled responses'),
  })
  const unbilled = createSyncedUnbilled({
    announcements: () => announcements,
    sync: (subject, changes, atMs) => sums.ask(atMs, (shared) => shared.sync(subject, changes, atMs)),
    rules: { allowance: parseUsd(config.limits.unbilledUsd), percent: config.limits.unbilledPercent },
    nowMs,
  })
  const announcements = subscribeUnbilled({ redis: subscriber, prefix, sender }, unbilled.outdate)
  return {
    freeQuotas: {
      ask: (subject, asks, options) => quotas.ask(options.nowMs, (free) => free.ask(subject, asks, options)),
    },
    failures: createResilientFailures({
      primary: createRedisFailures({ redis, prefix }),
      fallback: createMemoryFailures(),
      ...fallingBack('wrong passwords'),
      nowMs,
    }),
    unbilled,
    runCounts: {
      count: (runId, counters, atMs) => runCounts.ask(atMs, (shared) => shared.count(runId, counters, atMs)),
    },
    close: unbilled.close,
  }
}
