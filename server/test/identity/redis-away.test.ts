import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { createResilientRates } from '#pipeline/admit/resilient-rates.ts'
import type { Rates } from '#ports/shared-counts.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { publishInvalidation, subscribeInvalidations } from '#store/redis/invalidations.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { randomRedisPrefix } from '#test/setup/redis.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { newSubject } from './rates-contract.ts'

let server: PrivateRedis
beforeAll(async () => {
  server = await createPrivateRedis()
  await server.start()
})
afterAll(() => server.remove())

const budgetMs = 50
const probeAfterMs = 1_000
// The connection's own timeout; the budget is shorter, and the test decides when it ends.
const commandTimeoutMs = 60_000

/** Rates over a real Redis, the number of its calls, and the two clocks that the test moves. */
async function startRates() {
  const redis = createRedisClient({ url: server.url, commandTimeoutMs })
  await isReady(redis)
  const counted = createRedisRates({ redis, prefix: randomRedisPrefix() })
  const asked = { count: 0 }
  const primary: Rates = {
    admit: (...request) => {
      asked.count += 1
      return counted.admit(...request)
    },
    read: (...request) => counted.read(...request),
    noteUnbilledCancel: (...request) => counted.noteUnbilledCancel(...request),
  }
  const timers = createTestTimers()
  const rates = createResilientRates({ primary, fallback: createMemoryRates(), timers })
  const subject = newSubject()
  const admit = (nowMs: number) => rates.admit(subject, 1_000, nowMs)
  expect(await admit(startMs)).toMatchObject({ allowed: true })
  expect(rates.degraded).toBe(false)
  asked.count = 0
  return { redis, rates, admit, asked, timers }
}

const startMs = Date.now()

/** Resolves with the next connection; unlike with `once`, failed attempts before it do not count. */
function isReady(redis: Redis): Promise<void> {
  return new Promise((resolve) => redis.once('ready', resolve))
}

describe('rates while Redis is away', () => {
  it('killed: the fallback answers at once, and Redis counts again once it is back', async () => {
    const { redis, rates, admit, asked } = await startRates()
    await server.kill()
    // No time passes: neither call waits for the budget.
    expect(await admit(startMs)).toMatchObject({ allowed: true })
    expect(rates.degraded).toBe(true)
    expect(await admit(startMs + probeAfterMs)).toMatchObject({ allowed: true })
    expect(rates.degraded).toBe(true)
    expect(asked.count).toBe(2)
    const back = isReady(redis)
    await server.start()
    await back
    expect(await admit(startMs + 2 * probeAfterMs)).toMatchObject({ allowed: true })
    expect(rates.degraded).toBe(false)
    redis.disconnect()
  })

  it('hanging: one call waits for the budget, the following ones do not wait at all', async () => {
    const { redis, rates, admit, asked, timers } = await startRates()
    server.freeze()
    try {
      let isAnswered = false
      const first = admit(startMs).then((verdict) => {
        isAnswered = true
        return verdict
      })
      await timers.pass(budgetMs - 1)
      expect(isAnswered).toBe(false)
      await timers.pass(1)
      expect(await first).toMatchObject({ allowed: true })
      expect(rates.degraded).toBe(true)
      for (let sent = 0; sent < 100; sent += 1) await admit(startMs)
      expect(asked.count).toBe(1)
    } finally {
      server.thaw()
    }
    // The response to the abandoned call arrives first; then the server is known to be healthy.
    expect(await redis.ping()).toBe('PONG')
    await admit(startMs + probeAfterMs)
    expect(rates.degraded).toBe(false)
    redis.disconnect()
  })
})

const connect = () => createRedisClient({ url: server.url, commandTimeoutMs })

describe('[P14] invalidations', () => {
  it('reach the other processes, and a lost connection invalidates everything when it is back', async () => {
    const [publisher, subscriber] = [connect(), connect()]
    const prefix = randomRedisPrefix()
    const heard: Invalidation[] = []
    subscribeInvalidations({ redis: subscriber, prefix }, (invalidation) => heard.push(invalidation))
    await isReady(publisher)
    await expect.poll(() => heard).toEqual([{ all: true }])

    await publishInvalidation({ redis: publisher, prefix }, { keyHash: 'ab', walletId: 'w' })
    await expect.poll(() => heard).toEqual([{ all: true }, { keyHash: 'ab', walletId: 'w' }])

    await server.kill()
    await expect(publishInvalidation({ redis: publisher, prefix }, { userId: 'u' })).rejects.toThrow()
    const back = isReady(publisher)
    await server.start()
    await back
    await expect.poll(() => heard.slice(2)).toEqual([{ all: true }])

    await publishInvalidation({ redis: publisher, prefix }, { userId: 'u' })
    await expect.poll(() => heard.slice(3)).toEqual([{ userId: 'u' }])
    publisher.disconnect()
    subscriber.disconnect()
  })

  it('of another deployment on the same Redis are not heard', async () => {
    const [publisher, subscriber] = [connect(), connect()]
    const [here, there] = [randomRedisPrefix(), randomRedisPrefix()]
    const heard: Invalidation[] = []
    subscribeInvalidations({ redis: subscriber, prefix: here }, (invalidation) => heard.push(invalidation))
    await isReady(publisher)
    await expect.poll(() => heard).toEqual([{ all: true }])
    await publishInvalidation({ redis: publisher, prefix: there }, { walletId: 'theirs' })
    await publishInvalidation({ redis: publisher, prefix: here }, { walletId: 'ours' })
    await expect.poll(() => heard.slice(1)).toEqual([{ walletId: 'ours' }])
    publisher.disconnect()
    subscriber.disconnect()
  })
})
