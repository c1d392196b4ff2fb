import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { errorText } from '#lib/error-text.ts'
import { type Admit, createAdmit, createShowRate, type ShowRate } from '#pipeline/admit/admit.ts'
import { createResilientRates, type ResilientRates } from '#pipeline/admit/resilient-rates.ts'
import { type Authenticate, createAuthenticate } from '#pipeline/authenticate/authenticate.ts'
import type { JudgeRunRules } from '#pipeline/attribute/judge-run-rules.ts'
import { createPrincipalCache } from '#pipeline/authenticate/principal-cache.ts'
import type { Announce } from '#ports/announce.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { publishInvalidation, subscribeInvalidations } from '#store/redis/invalidations.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { type Counters, wireCounters } from './counters.ts'
import { forgetAttribution, type WiredAttribution, wireAttribution, wireRunRules } from './attribution.ts'
import type { Metrics } from './metrics.ts'
import type { WiredRedis } from './redis.ts'
import type { Snapshots } from './snapshots.ts'

const refreshEveryMs = 1_000

export interface Admission extends Counters, WiredAttribution {
  authenticate: Authenticate
  admit: Admit
  showRate: ShowRate
  rates: ResilientRates
  announce: Announce
  judgeRunRules: JudgeRunRules
  isRedisAway(): Promise<boolean>
}

/** Authentication and rate limits: the caches of keys and end customers, Redis, and the limiter that replaces it. */
export function wireAdmission(deps: {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  redis: WiredRedis
  snapshots: Snapshots
  nowMs: () => number
  /** Clears other data that was loaded from the store, besides principals and end customers. */
  alsoForget: (invalidation: Invalidation) => void
}): Admission {
  const { config, logger, metrics, pools, snapshots, nowMs } = deps
  // A check has its own time budget; the connection must not time out before it.
  const redis = deps.redis.open(Math.max(1_000, config.redis.budgetMs))
  const { prefix } = deps.redis
  const subscriber = deps.redis.open(5_000)
  const loadTimeoutMs = config.postgres.budgetMs
  const cache = createPrincipalCache({ keys: createKeys(pools.general), clock: nowMs, loadTimeoutMs })
  const attribution = wireAttribution(pools.general, config.limits, { loadTimeoutMs, nowMs })
  const refreshing = setInterval(cache.refreshUsed, refreshEveryMs).unref()
  const forget = (invalidation: Invalidation): void => {
    cache.invalidate(invalidation)
    forgetAttribution(attribution, invalidation)
    deps.alsoForget(invalidation)
  }
  subscribeInvalidations({ redis: subscriber, prefix }, forget)
  const rates = createResilientRates({
    primary: createRedisRates({ redis, prefix }),
    fallback: createMemoryRates(),
    timeoutMs: config.redis.budgetMs,
    onDegraded: (error) => {
      metrics.degraded.inc()
      logger.warn(
        { error: errorText(error) },
        'Redis is slow or unavailable; this process enforces rate limits on its own',
      )
    },
  })
  metrics.watch('weir_admission_degraded', '1 while this process enforces rate limits without Redis.', () =>
    Number(rates.degraded),
  )
  const counters = wireCounters({ config, logger, redis, subscriber, prefix, nowMs })
  const announce: Announce = async (invalidation) => {
    forget(invalidation)
    await publishInvalidation({ redis, prefix }, invalidation).catch((error: unknown) =>
      logger.warn({ error: errorText(error) }, 'failed to publish a change; other processes pick it up within 15 s'),
    )
  }
  return {
    ...counters,
    authenticate: createAuthenticate({ cache }),
    admit: createAdmit({ rates, brake: snapshots.brake, clock: nowMs, limits: config.limits }),
    showRate: createShowRate({ rates, clock: nowMs, limits: config.limits }),
    rates,
    ...attribution,
    announce,
    judgeRunRules: wireRunRules(attribution.runs, { counts: counters.runCounts, announce }),
    isRedisAway: () =>
      redis.ping().then(
        () => false,
        () => true,
      ),
    close: async () => {
      clearInterval(refreshing)
      await counters.close()
      redis.disconnect()
      subscriber.disconnect()
    },
  }
}
