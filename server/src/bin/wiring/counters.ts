import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { errorText } from '#lib/error-text.ts'
import { createResilientFailures } from '#pipeline/admit/resilient-failures.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import type { Failures, FreeQuotas, Unbilled } from '#ports/shared-counts.ts'
import { createMemoryFailures } from '#store/memory/memory-failures.ts'
import { createMemoryFreeQuotas } from '#store/memory/memory-free-quotas.ts'
import { createMemoryUnbilled } from '#store/memory/memory-unbilled.ts'
import { createRedisFailures } from '#store/redis/redis-failures.ts'
import { createRedisFreeQuotas } from '#store/redis/redis-free-quotas.ts'
import { createRedisUnbilled } from '#store/redis/redis-unbilled.ts'

export interface Counters {
  freeQuotas: FreeQuotas
  failures: Failures
  unbilled: Unbilled
}

/** Redis counters shared by all processes, except the rate limits, with local counters during an outage. */
export function wireCounters(deps: {
  config: Config
  logger: Logger
  redis: Redis
  prefix: string
  nowMs: () => number
}): Counters {
  const { config, logger, redis, prefix, nowMs } = deps
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
  const sums = createWithFallback<Unbilled>({
    primary: createRedisUnbilled({ redis, prefix }),
    fallback: createMemoryUnbilled(),
    ...fallingBack('unbilled responses'),
  })
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
    unbilled: { add: (subject, change, atMs) => sums.ask(atMs, (unbilled) => unbilled.add(subject, change, atMs)) },
  }
}
