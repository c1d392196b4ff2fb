import { Redis } from 'ioredis'
import { sentinelServers } from '#lib/redis-servers.ts'

export interface RedisClientOptions {
  /** Of a server, or of the sentinels that know which server takes writes. */
  url: string
  /** For a whole command; requests wait for no other reason. */
  commandTimeoutMs?: number
  connectTimeoutMs?: number
  /** Connection failures: the client goes on trying by itself, so this is for the log and the metrics. */
  onError?: (error: Error) => void
  /** Whenever the connection stands, again. */
  onReady?: () => void
}

/** A connection that fails at once when Redis is away and comes back by itself. Nothing waits in a queue for it. */
export function createRedisClient(options: RedisClientOptions): Redis {
  const { url, commandTimeoutMs = 50, connectTimeoutMs = 1_000, onError, onReady } = options
  const settings = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Subscriptions are made by hand, since what was missed in between has to be made up for.
    autoResubscribe: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => 100,
    // A server that has become a replica: the next connection leads to the one that takes writes.
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
