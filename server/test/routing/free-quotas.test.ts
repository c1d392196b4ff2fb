import { once } from 'node:events'
import * as fc from 'fast-check'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreeAsk, freeResetMs, freeUnitsOf } from '#domain/limits/free-quota.ts'
import { newUuid } from '#lib/uuid.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import type { FreeQuotas, FreeSubject } from '#ports/shared-counts.ts'
import { createMemoryFreeQuotas } from '#store/memory/memory-free-quotas.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisFreeQuotas } from '#store/redis/redis-free-quotas.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'

const dayMs = 86_400_000
const noonMs = Date.parse('2030-01-07T12:00:00Z')
const prefix = randomRedisPrefix()
let redis: Redis
beforeAll(async () => {
  redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 5_000 })
  await once(redis, 'ready')
})
afterAll(async () => {
  const keys = await redis.keys(`${prefix}*`)
  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
})

const kinds: [string, () => FreeQuotas][] = [
  ['in memory', () => createMemoryFreeQuotas()],
  ['in Redis', () => createRedisFreeQuotas({ redis, prefix })],
]

function newSubject(): FreeSubject {
  return { ownerId: newUuid(noonMs), clientId: newUuid(noonMs) }
}

function askOf(special: Partial<FreeAsk> = {}): FreeAsk {
  return { name: 'a/model', requestsPerMinute: 10, unitsPerDay: 150, units: 1, ...special }
}

describe.each(kinds)('free quotas %s', (_, open) => {
  it('[FREE-02] let ten requests of a minute pass, and ten of the next', async () => {
    const [quotas, subject] = [open(), newSubject()]
    const take = (nowMs: number) => quotas.ask(subject, [askOf()], { takesFirst: true, nowMs })
    for (let call = 0; call < 10; call += 1) expect(await take(noonMs + call)).toEqual(['taken'])
    expect(await take(noonMs + 59_999)).toEqual(['rpm'])
    expect(await take(noonMs + 60_000)).toEqual(['taken'])
  })

  it('[FREE-03] let the units of a day of UTC pass, and refuse what would go beyond', async () => {
    const [quotas, subject] = [open(), newSubject()]
    const take = (units: number, nowMs: number) =>
      quotas.ask(subject, [askOf({ units, unitsPerDay: 10 })], { takesFirst: true, nowMs })
    expect(await take(7, noonMs)).toEqual(['taken'])
    expect(await take(4, noonMs)).toEqual(['daily'])
    expect(await take(3, noonMs + dayMs / 2 - 1)).toEqual(['taken'])
    expect(await take(1, noonMs + dayMs / 2 - 1)).toEqual(['daily'])
    expect(await take(1, noonMs + dayMs / 2)).toEqual(['taken'])
  })

  it('[FREE-05] are counted for each model by itself, and only the first one that is asked for', async () => {
    const [quotas, subject] = [open(), newSubject()]
    const asks = ['a/one', 'a/two'].map((name) => askOf({ name, unitsPerDay: 1 }))
    const options = { takesFirst: true, nowMs: noonMs }
    expect(await quotas.ask(subject, asks, options)).toEqual(['taken', 'left'])
    expect(await quotas.ask(subject, asks, options)).toEqual(['daily', 'left'])
    expect(await quotas.ask(subject, asks.toReversed(), options)).toEqual(['taken', 'daily'])
    expect(await quotas.ask(newSubject(), asks, { ...options, takesFirst: false })).toEqual(['left', 'left'])
  })
})

it('[FREE-02] [FREE-03] memory and Redis judge every sequence alike', async () => {
  const step = fc.record({
    units: fc.integer({ min: 1, max: 4 }),
    waitMs: fc.constantFrom(0, 1_000, 30_000, 61_000, dayMs / 2),
    takesFirst: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const subject = newSubject()
      const [memory, shared] = [createMemoryFreeQuotas(), createRedisFreeQuotas({ redis, prefix })]
      let nowMs = noonMs
      for (const { units, waitMs, takesFirst } of steps) {
        nowMs += waitMs
        const asks = [askOf({ units, unitsPerDay: 12, requestsPerMinute: 3 }), askOf({ name: 'a/other', units })]
        const options = { takesFirst, nowMs }
        expect(await shared.ask(subject, asks, options)).toEqual(await memory.ask(subject, asks, options))
      }
    }),
    { numRuns: 40 },
  )
})

it('[FREE-02] a process that can not reach Redis counts by itself, and gives nothing away without bound', async () => {
  const away: FreeQuotas = { ask: () => Promise.reject(new Error('Redis is away')) }
  const counters = createWithFallback<FreeQuotas>({ primary: away, fallback: createMemoryFreeQuotas() })
  const subject = newSubject()
  const standings: unknown[] = []
  for (let call = 0; call < 12; call += 1) {
    const options = { takesFirst: true, nowMs: noonMs }
    standings.push(...(await counters.ask(noonMs, (quotas) => quotas.ask(subject, [askOf()], options))))
  }
  expect(standings.filter((standing) => standing === 'taken')).toHaveLength(10)
  expect(standings.slice(-2)).toEqual(['rpm', 'rpm'])
  expect(counters.degraded).toBe(true)
})

it('[FREE-04] a unit is 8,192 tokens begun', () => {
  expect([0, 1, 8_192, 8_193, 16_384, 100_000].map(freeUnitsOf)).toEqual([1, 1, 1, 2, 2, 13])
  expect(freeResetMs('rpm', noonMs + 1)).toBe(59_999)
  expect(freeResetMs('daily', noonMs)).toBe(dayMs / 2)
})
