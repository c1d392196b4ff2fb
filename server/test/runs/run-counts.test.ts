import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import type { RunCounts } from '#ports/run-counts.ts'
import { createMemoryRunCounts } from '#store/memory/memory-run-counts.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisRunCounts } from '#store/redis/redis-run-counts.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'

const nowMs = Date.parse('2030-01-07T12:00:00Z')
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

const kinds: [string, () => RunCounts][] = [
  ['in memory', () => createMemoryRunCounts()],
  ['in Redis', () => createRedisRunCounts({ redis, prefix })],
]

const minute = { name: 'minute', keptMs: 60_000 }
const prompt = { name: 'prompt', keptMs: 60_000 }

describe.each(kinds)('counts of runs %s', (_name, open) => {
  it('[NEXT-53] add one to each counter of a run', async () => {
    const [counts, run, other] = [open(), newUuid(nowMs), newUuid(nowMs)]
    expect(await counts.count(run, [minute, prompt], nowMs)).toEqual([1, 1])
    expect(await counts.count(run, [prompt], nowMs)).toEqual([2])
    expect(await counts.count(run, [minute, prompt], nowMs)).toEqual([2, 3])
    expect(await counts.count(other, [prompt], nowMs)).toEqual([1])
  })

  it('[NEXT-53] count each of many requests at once', async () => {
    const [counts, run] = [open(), newUuid(nowMs)]
    const seen = await Promise.all(Array.from({ length: 50 }, () => counts.count(run, [minute], nowMs)))
    expect(seen.flat().toSorted((one, two) => one - two)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  })
})

describe('counts of runs', () => {
  it('[NEXT-53] restart in memory once they have expired', async () => {
    const [counts, run] = [createMemoryRunCounts(), newUuid(nowMs)]
    await counts.count(run, [minute], nowMs)
    expect(await counts.count(run, [minute], nowMs + 59_999)).toEqual([2])
    expect(await counts.count(run, [minute], nowMs + 59_999 + 60_000)).toEqual([1])
  })

  it('[NEXT-53] expire in Redis', async () => {
    const run = newUuid(nowMs)
    await createRedisRunCounts({ redis, prefix }).count(run, [minute], nowMs)
    const leftMs = await redis.pttl(`${prefix}run:{${run}}:minute`)
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })

  it('are bounded in memory', async () => {
    const counts = createMemoryRunCounts({ maxCounters: 2 })
    for (const name of ['a', 'b', 'c']) await counts.count('r', [{ name, keptMs: 1_000 }], nowMs)
    expect(await counts.count('r', [{ name: 'a', keptMs: 1_000 }], nowMs)).toEqual([1])
    expect(await counts.count('r', [{ name: 'c', keptMs: 1_000 }], nowMs)).toEqual([2])
  })
})
