import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { createResilientRates } from '#pipeline/admit/resilient-rates.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { publishInvalidation, subscribeInvalidations } from '#store/redis/invalidations.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { newSubject } from './rates-contract.ts'

let server: PrivateRedis
beforeAll(async () => {
  server = await createPrivateRedis()
  await server.start()
})
afterAll(() => server.remove())

// The budget is 50 ms; the rest is room for a busy machine.
const boundMs = 50 + 250

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

async function startRates() {
  const redis = createRedisClient({ url: server.url })
  await once(redis, 'ready')
  const rates = createResilientRates({ primary: createRedisRates({ redis }), fallback: createMemoryRates() })
  const subject = newSubject()
  const admit = (nowMs = Date.now()) => rates.admit(subject, 1_000, nowMs)
  expect(await admit()).toMatchObject({ allowed: true })
  expect(rates.degraded).toBe(false)
  return { redis, rates, admit, afterProbeMs: () => Date.now() + 1_001 }
}

describe('rates while Redis is away', () => {
  it('killed: the fallback answers within the budget, and Redis counts again once it is back', async () => {
    const { redis, rates, admit, afterProbeMs } = await startRates()
    await server.kill()
    expect(await elapsedMs(admit)).toBeLessThan(boundMs)
    expect(rates.degraded).toBe(true)
    expect(await elapsedMs(() => admit(afterProbeMs()))).toBeLessThan(boundMs)
    expect(rates.degraded).toBe(true)
    const back = once(redis, 'ready')
    await server.start()
    await back
    expect(await admit(afterProbeMs() + 1_001)).toMatchObject({ allowed: true })
    expect(rates.degraded).toBe(false)
    redis.disconnect()
  })

  it('hanging: one call waits for the budget, the following ones do not wait at all', async () => {
    const { redis, rates, admit, afterProbeMs } = await startRates()
    server.freeze()
    try {
      expect(await elapsedMs(admit)).toBeLessThan(boundMs)
      expect(rates.degraded).toBe(true)
      const nowMs = Date.now()
      const hundredMs = await elapsedMs(async () => {
        for (let sent = 0; sent < 100; sent += 1) await admit(nowMs)
      })
      expect(hundredMs).toBeLessThan(boundMs)
    } finally {
      server.thaw()
    }
    // The answer to the call that nobody waits for any more comes first; then the server is known to be well.
    await expect.poll(() => redis.ping().catch(() => 'late')).toBe('PONG')
    await admit(afterProbeMs())
    expect(rates.degraded).toBe(false)
    redis.disconnect()
  })
})

describe('[P14] invalidations', () => {
  it('reach the other processes, and a lost connection invalidates everything when it is back', async () => {
    const [publisher, subscriber] = [createRedisClient({ url: server.url }), createRedisClient({ url: server.url })]
    const heard: Invalidation[] = []
    subscribeInvalidations({ redis: subscriber }, (invalidation) => heard.push(invalidation))
    await once(publisher, 'ready')
    await expect.poll(() => heard).toEqual([{ all: true }])

    await publishInvalidation({ redis: publisher }, { keyHash: 'ab', walletId: 'w' })
    await expect.poll(() => heard).toEqual([{ all: true }, { keyHash: 'ab', walletId: 'w' }])

    await server.kill()
    await expect(publishInvalidation({ redis: publisher }, { userId: 'u' })).rejects.toThrow()
    const back = once(publisher, 'ready')
    await server.start()
    await back
    await expect.poll(() => heard.slice(2)).toEqual([{ all: true }])

    await publishInvalidation({ redis: publisher }, { userId: 'u' })
    await expect.poll(() => heard.slice(3)).toEqual([{ userId: 'u' }])
    publisher.disconnect()
    subscriber.disconnect()
  })
})
