import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createShareAnswers } from '#control/usage/share-answers.ts'
import { insightsKeptMs } from '#domain/usage/insights-period.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { usageEndpoints } from '#http/usage/usage-endpoints.ts'
import { errorText } from '#lib/error-text.ts'
import { logFault } from '#lib/log-fault.ts'
import { realTimers } from '#lib/timers.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import type { AnswerCache, UsageReads } from '#ports/usage.ts'
import { createMemoryAnswers } from '#store/memory/memory-answers.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createPostgresUsageSubjects } from '#store/postgres/usage/postgres-usage-subjects.ts'
import { createReplicaUsage, type ReplicaUsage } from '#store/postgres/usage/replica-usage.ts'
import { createRedisAnswers } from '#store/redis/redis-answers.ts'
import type { Metrics } from './metrics.ts'
import type { WiredRedis } from './redis.ts'

export interface WiredUsage {
  endpoints: Endpoint[]
  reads: UsageReads
  close(): Promise<void>
}

/** The fallback without Redis. Each process still caches its own responses. */
const forgetful: AnswerCache = { find: async () => null, keep: async (_question, answer) => answer }

/** Usage reports. Their responses may be long, so they have their own Redis connection. */
export function wireUsage({
  config,
  logger,
  metrics,
  pools,
  redis: wired,
}: {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  redis: WiredRedis
}): WiredUsage {
  const redis = wired.open(Math.max(1_000, config.redis.budgetMs))
  const known = createWithFallback<AnswerCache>({
    primary: createRedisAnswers({ redis, prefix: wired.prefix, keptMs: insightsKeptMs }),
    fallback: forgetful,
    timeoutMs: config.redis.budgetMs,
    onDegraded: (error) =>
      logger.warn(
        { error: errorText(error) },
        'Redis is slow or unavailable; this process caches usage responses on its own',
      ),
  })
  const shared: AnswerCache = {
    find: (question, nowMs) => known.ask(nowMs, (answers) => answers.find(question, nowMs)),
    keep: (question, answer, nowMs) => known.ask(nowMs, (answers) => answers.keep(question, answer, nowMs)),
  }
  const { reads, close } = wireReplica({ config, logger, metrics, pools })
  return {
    endpoints: usageEndpoints({
      usage: reads,
      subjects: createPostgresUsageSubjects(pools.general),
      memberships: createMemberships(pools.general),
      shareAnswers: createShareAnswers({ shared, own: createMemoryAnswers({ keptMs: insightsKeptMs }) }),
    }),
    reads,
    close: async () => {
      redis.disconnect()
      await close()
    },
  }
}

/** The database for usage pages: a standby within its allowed lag, otherwise the primary. */
function wireReplica(deps: { config: Config; logger: Logger; metrics: Metrics; pools: PostgresPools }): ReplicaUsage {
  const { config, logger, metrics, pools } = deps
  const usage = createReplicaUsage({
    url: config.postgres.replicaUrl,
    lagMaxMs: config.postgres.replicaLagMaxMs,
    connectTimeoutMs: config.postgres.budgetMs,
    primary: pools,
    nowMs: realTimers.nowMs,
    fault: logFault(logger, 'usage queries fall back to the primary because the replica is unavailable', {
      level: 'warn',
    }),
    onRead: (server) => metrics.usageReads.inc({ server }),
    onError: logFault(logger, 'a connection to the replica was lost', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  metrics.watchEach('weir_replica_lag_seconds', 'Maximum staleness of the usage replica, in seconds.', [], () =>
    usage.lagSeconds().map((value) => ({ labels: {}, value })),
  )
  return usage
}
