import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { logFault } from '#lib/log-fault.ts'

/** The Redis connections of this process. */
export interface WiredRedis {
  /** Prefix of every key and channel. */
  readonly prefix: string
  open(commandTimeoutMs: number): Redis
}

/** Redis may be unavailable at any time, even at start. The process logs it once and continues without Redis. */
export function wireRedis(config: Config, logger: Logger): WiredRedis {
  // Strips a password from the URL.
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
