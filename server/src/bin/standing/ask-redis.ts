import { once } from 'node:events'
import type { Config } from '#config/config-schema.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'

const waitMs = 5_000
const roundTrips = 5

/** The INFO of Redis and its round-trip times. Throws if Redis is unreachable. */
export async function askRedis({ url }: Config['redis']): Promise<{ info: string; ms: number[] }> {
  let last: Error | undefined
  const onError = (error: Error): void => {
    last = error
  }
  const redis = createRedisClient({ url, commandTimeoutMs: waitMs, connectTimeoutMs: waitMs, onError })
  try {
    if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(waitMs) })
    const info = await redis.info()
    return { info, ms: await measureTrips(() => redis.ping()) }
  } catch (error) {
    throw last ?? error
  } finally {
    redis.disconnect()
  }
}

/** Measures a few round trips. */
export async function measureTrips(goAndReturn: () => Promise<unknown>): Promise<number[]> {
  const ms: number[] = []
  for (let trip = 0; trip < roundTrips; trip += 1) {
    const startedAtMs = performance.now()
    await goAndReturn()
    ms.push(performance.now() - startedAtMs)
  }
  return ms
}
