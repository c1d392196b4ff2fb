import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createShareAnswers } from '#control/usage/share-answers.ts'
import { insightsKeptMs } from '#domain/usage/insights-period.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { usageEndpoints } from '#http/usage/usage-endpoints.ts'
import { errorText } from '#lib/error-text.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import type { AnswerCache } from '#ports/usage.ts'
import { createMemoryAnswers } from '#store/memory/memory-answers.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createPostgresUsage } from '#store/postgres/usage/postgres-usage.ts'
import { createPostgresUsageSubjects } from '#store/postgres/usage/postgres-usage-subjects.ts'
import { createRedisAnswers } from '#store/redis/redis-answers.ts'
import type { WiredRedis } from './redis.ts'

export interface WiredUsage {
  endpoints: Endpoint[]
  close(): void
}

/** What stands in for Redis: each process still has its own answers. */
const forgetful: AnswerCache = { find: async () => null, keep: async (_question, answer) => answer }

/** Reports on usage. Their answers may be long, so they have a connection to Redis of their own. */
export function wireUsage({
  config,
  logger,
  pools,
  redis: wired,
}: {
  config: Config
  logger: Logger
  pools: PostgresPools
  redis: WiredRedis
}): WiredUsage {
  const redis = wired.open(Math.max(1_000, config.redis.budgetMs))
  const known = createWithFallback<AnswerCache>({
    primary: createRedisAnswers({ redis, prefix: wired.prefix, keptMs: insightsKeptMs }),
    fallback: forgetful,
    timeoutMs: config.redis.budgetMs,
    onDegraded: (error) =>
      logger.warn({ error: errorText(error) }, 'Redis is slow or away; this process keeps its answers itself'),
  })
  const shared: AnswerCache = {
    find: (question, nowMs) => known.ask(nowMs, (answers) => answers.find(question, nowMs)),
    keep: (question, answer, nowMs) => known.ask(nowMs, (answers) => answers.keep(question, answer, nowMs)),
  }
  return {
    endpoints: usageEndpoints({
      usage: createPostgresUsage(pools.sums),
      subjects: createPostgresUsageSubjects(pools.general),
      memberships: createMemberships(pools.general),
      shareAnswers: createShareAnswers({ shared, own: createMemoryAnswers({ keptMs: insightsKeptMs }) }),
    }),
    close: () => redis.disconnect(),
  }
}
