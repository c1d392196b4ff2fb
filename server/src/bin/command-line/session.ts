import { once } from 'node:events'
import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import type { Announce } from '#ports/announce.ts'
import type { OperatorStores } from '#store/postgres/operators/postgres-operators.ts'
import { readConfig } from '../read-config.ts'

/** The dependencies of a command. */
export interface Session extends OperatorStores {
  config: Config
  pool: Pool
  announce: Announce
}

/** Connects, runs the command, and closes everything. */
export async function withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
  const config = await readConfig()
  // Imported here because the help describes every command and runs none.
  const { createPostgresOperators } = await import('#store/postgres/operators/postgres-operators.ts')
  const { createCommandPool } = await import('#store/postgres/pools.ts')
  const pool = createCommandPool(config.postgres.url)
  try {
    return await use({ ...createPostgresOperators(pool), config, pool, announce: createAnnounce(config.redis) })
  } finally {
    await pool.end()
  }
}

// Timeout for a Redis that does not respond. A refused connection ends the wait at once.
const announceMs = 10_000

/** The change is already made, so an unavailable Redis is a warning, not a failure. */
function createAnnounce({ url, prefix }: Config['redis']): Announce {
  return async (message) => {
    // Imported here because most commands have nothing to announce.
    const { publishInvalidation } = await import('#store/redis/invalidations.ts')
    const { createRedisClient } = await import('#store/redis/redis-client.ts')
    const redis = createRedisClient({ url, commandTimeoutMs: announceMs, connectTimeoutMs: announceMs })
    try {
      if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(announceMs) })
      await publishInvalidation({ redis, prefix }, message)
    } catch {
      console.error('The change was saved, but Redis is unavailable: gateways apply it when their caches expire.')
    } finally {
      redis.disconnect()
    }
  }
}
