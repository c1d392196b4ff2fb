import { Redis } from 'ioredis'
import { sentinelServers } from '#lib/redis-servers.ts'

export interface RedisClientOptions {
  /** URL of a server, or of sentinels that know which server accepts writes. */
  url: string
  /** Time limit of a whole command. Requests wait no longer than this. */
  commandTimeoutMs?: number
  connectTimeoutMs?: number
  /** Connection failures. The client reconnects on its own, so this is for the log and the metrics. */
  onError?: (error: Error) => void
  /** Called whenever the connection is established, also after a reconnection. */
  onReady?: () => void
}

/**
 * A connection that fails immediately while Redis is unavailable and reconnects on its own. Commands are not queued.
 */
export function createRedisClient(options: RedisClientOptions): Redis {
  const { url, commandTimeoutMs = 50, connectTimeoutMs = 1_000, onError, onReady } = options
  const settings = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Subscriptions are made explicitly, because missed messages require an invalidation of everything.
    autoResubscribe: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => 100,
    // The server has become a replica: the next connection finds the one that accepts writes.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  }
  const servers = sentinelServers(url)
  const redis =
    servers === null
      ? new Redis(url, settings)
      : new Redis({ ...settings, ...servers, sentinels: [...servers.sentinels], sentinelRetryStrategy: () => 100 })
  redis.on('error', (error: Error) => onError?.(error))
  redis.on('ready', () => onReady?.())
  return redis
}
