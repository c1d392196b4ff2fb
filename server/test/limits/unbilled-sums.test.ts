import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Unbilled } from '#ports/shared-counts.ts'
import { createMemoryUnbilled } from '#store/memory/memory-unbilled.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisUnbilled } from '#store/redis/redis-unbilled.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const startMs = Date.parse('2031-03-03T10:30:00Z')
const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
const prefix = randomRedisPrefix()
beforeAll(async () => {
  if (redis.status !== 'ready') await once(redis, 'ready')
})
afterAll(() => redis.disconnect())

const subject = (): string => randomBytes(8).toString('hex')

const stores: Record<string, () => [Unbilled, Unbilled]> = {
  Redis: () => [createRedisUnbilled({ redis, prefix }), createRedisUnbilled({ redis, prefix })],
  memory: () => {
    const only = createMemoryUnbilled()
    return [only, only]
  },
}

describe.each(Object.entries(stores))('[B6] sums of unbilled responses in %s', (_name, open) => {
  it('are those of all processes, to the last digit', async () => {
    const [one, other] = open()
    const id = subject()
    // Beyond the integers that a floating-point number can represent.
    const large = nanoUsd(9_007_199_254_740_993n)
    await one.add(id, { paid: large, left: large, borne: large }, startMs)
    expect(await other.add(id, { paid: nanoUsd(2n), underWay: nanoUsd(7n), atRisk: nanoUsd(3n) }, startMs)).toEqual({
      left: large,
      borne: large,
      paidToday: 9_007_199_254_740_995n,
      paidYesterday: 0n,
      underWay: 7n,
      atRisk: 3n,
    })
  })

  it('are of one day, and know what was paid the day before', async () => {
    const [store] = open()
    const id = subject()
    await store.add(id, { paid: nanoUsd(5n), left: nanoUsd(3n), borne: nanoUsd(2n) }, startMs)
    expect(await store.add(id, {}, startMs + dayMs)).toMatchObject({
      left: 0n,
      borne: 0n,
      paidToday: 0n,
      paidYesterday: 5n,
    })
    expect(await store.add(id, {}, startMs + 2 * dayMs)).toMatchObject({ left: 0n, paidToday: 0n, paidYesterday: 0n })
  })

  it('no longer have at risk what has ended', async () => {
    const [store] = open()
    const id = subject()
    await store.add(id, { atRisk: nanoUsd(4n), sinceMs: startMs }, startMs)
    const laterMs = startMs + hourMs
    expect(await store.add(id, { atRisk: nanoUsd(6n), sinceMs: laterMs }, laterMs)).toMatchObject({ atRisk: 10n })
    expect(await store.add(id, { atRisk: nanoUsd(-4n), sinceMs: startMs }, laterMs)).toMatchObject({ atRisk: 6n })
    expect(await store.add(id, { atRisk: nanoUsd(-60n), sinceMs: laterMs }, laterMs)).toMatchObject({ atRisk: 0n })
  })

  it('no longer have what has ended under way', async () => {
    const [store] = open()
    const id = subject()
    await store.add(id, { underWay: nanoUsd(4n), sinceMs: startMs }, startMs)
    const laterMs = startMs + hourMs
    expect(await store.add(id, { underWay: nanoUsd(6n), sinceMs: laterMs }, laterMs)).toMatchObject({ underWay: 10n })
    expect(await store.add(id, { underWay: nanoUsd(-4n), sinceMs: startMs }, laterMs)).toMatchObject({ underWay: 6n })
    expect(await store.add(id, { underWay: nanoUsd(-60n), sinceMs: laterMs }, laterMs)).toMatchObject({ underWay: 0n })
  })
})

it('[B6] what a process had under way when it died is forgotten within two hours', async () => {
  const store = createRedisUnbilled({ redis, prefix })
  const id = subject()
  await store.add(id, { underWay: nanoUsd(4n), atRisk: nanoUsd(5n), sinceMs: startMs }, startMs)
  expect(await store.add(id, {}, startMs + hourMs)).toMatchObject({ underWay: 4n, atRisk: 5n })
  expect(await store.add(id, {}, startMs + 2 * hourMs)).toMatchObject({ underWay: 0n, atRisk: 0n })
})

it('[B6] Redis keeps only the days and hours that are still read', async () => {
  const store = createRedisUnbilled({ redis, prefix })
  const id = subject()
  for (let hours = 0; hours <= 72; hours += 1) {
    const nowMs = startMs + hours * hourMs
    await store.add(id, { paid: nanoUsd(5n), left: nanoUsd(3n), borne: nanoUsd(2n), underWay: nanoUsd(1n) }, nowMs)
  }
  const fields = await redis.hkeys(`${prefix}unbilled:{${id}}`)
  expect(fields.map((field) => field.replace(/:\d+$/, '')).toSorted()).toEqual([
    'borne',
    'borne',
    'hour',
    'left',
    'left',
    'paid',
    'paid',
    'under-way',
    'under-way',
  ])
})
