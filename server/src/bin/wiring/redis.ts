import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { logFault } from '#lib/log-fault.ts'

/** The connections of this process to Redis. */
export interface WiredRedis {
  /** Begins every key and channel. */
  readonly prefix: string
  open(commandTimeoutMs: number): Redis
}

/** Redis may be away at any time, also at the start: this says so once, and the process does without. */
export function wireRedis(config: Config, logger: Logger): WiredRedis {
  // Without a password that may stand in the address.
  const host = config.redis.url.replace(/^.*(?:\/\/|@)([^/@]*).*$/s, '$1')
  const what = `Redis is unavailable at ${host}; this process counts on its own`
  const watch = logFault(logger, what, { level: 'warn' })
  return {
    prefix: config.redis.prefix,
    open: (commandTimeoutMs) =>
      createRedisClient({
        url: config.redis.url,
        commandTimeoutMs,
        onError: watch.failed,
        onReady: watch.succeeded,
      }),
  }
}
