import { once } from 'node:events'
import { createMemoryFailures } from '#store/memory/memory-failures.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisFailures } from '#store/redis/redis-failures.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'
import { describeFailures } from './failures-contract.ts'

describeFailures('wrong passwords in memory', async () => ({ failures: createMemoryFailures(), close: async () => {} }))

describeFailures('wrong passwords in Redis', async () => {
  const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
  await once(redis, 'ready')
  return {
    failures: createRedisFailures({ redis, prefix: randomRedisPrefix() }),
    close: async () => redis.disconnect(),
  }
})
