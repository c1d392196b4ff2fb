import { once } from 'node:events'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'
import { describeRates, newSubject } from './rates-contract.ts'

async function openRedis() {
  const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 5_000 })
  await once(redis, 'ready')
  const prefix = randomRedisPrefix()
  return {
    redis,
    prefix,
    rates: createRedisRates({ redis, prefix }),
    async close() {
      const keys = await redis.keys(`${prefix}*`)
      if (keys.length > 0) await redis.del(...keys)
      redis.disconnect()
    },
  }
}

describeRates('rates in Redis', openRedis)

describe('the Redis scripts', () => {
  let opened: Awaited<ReturnType<typeof openRedis>>
  beforeAll(async () => {
    opened = await openRedis()
  })
  afterAll(() => opened.close())

  it('[LIMIT-09] [LIMIT-10] answer any sequence of calls as the rules do', async () => {
    const step = fc.record({
      afterMs: fc.oneof(fc.nat(20_000), fc.constantFrom(0, 1, 60_000, 86_400_000), fc.integer({ min: -50, max: 0 })),
      times: fc.integer({ min: 1, max: 25 }),
      limit: fc.integer({ min: 0, max: 3 }),
      call: fc.constantFrom('inference', 'inference', 'account', 'cancel'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const subject = newSubject()
        const rules = createMemoryRates()
        let nowMs = 1_800_000_000_000
        for (const { afterMs, times, limit, call } of steps) {
          nowMs += afterMs
          for (let time = 0; time < times; time += 1) {
            if (call === 'cancel') {
              await Promise.all([rules, opened.rates].map((rates) => rates.noteUnbilledCancel(subject, 'key', nowMs)))
              continue
            }
            const asked = { ...subject, class: call }
            expect(await opened.rates.admit(asked, limit, nowMs)).toEqual(await rules.admit(asked, limit, nowMs))
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('are sent again to a server that has forgotten them', async () => {
    await opened.redis.script('FLUSH')
    expect(await opened.rates.admit(newSubject(), 2, 0)).toMatchObject({ allowed: true, remaining: 1 })
    await opened.redis.script('FLUSH')
    await expect(opened.rates.noteUnbilledCancel(newSubject(), 'key', 0)).resolves.toBeUndefined()
  })

  it('let every key expire by itself, a blocked caller after a day and the others within minutes', async () => {
    const { rates, redis, prefix } = opened
    const [calm, blocked] = [newSubject(), newSubject()]
    await rates.admit(calm, 20, 0)
    for (let cancel = 0; cancel < 25; cancel += 1) await rates.noteUnbilledCancel(blocked, 'key', 0)
    await rates.admit({ ...blocked, class: 'account' }, 20, 0)
    const livesMs = await Promise.all(
      [`rate:{${calm.walletId}}:${calm.clientId}`, `rate:{${blocked.walletId}}:${blocked.clientId}`].map((key) =>
        redis.pttl(prefix + key),
      ),
    )
    expect(livesMs[0]).toBeGreaterThan(115_000)
    expect(livesMs[0]).toBeLessThanOrEqual(180_000)
    expect(livesMs[1]).toBeGreaterThan(86_400_000)
    expect(await redis.pttl(`${prefix}cancels:{${blocked.walletId}}:key`)).toBeGreaterThan(0)
  })
})
