import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { Announce } from '#ports/announce.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { publishInvalidation } from '#store/redis/invalidations.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({}, clock)
})
afterAll(() => world.close())

function revoke(keyId: string, announce: Announce): Promise<void> {
  const { keys } = createPostgresOperators(world.pool)
  return revokeKey({ keys, announce }, { keyId, account: null }, operatorAuthor(clock.nowMs()))
}

describe('[P14] a revoked key', () => {
  it('is refused as soon as the message of it has come, in every process', async () => {
    const caller = await world.createClient()
    expect((await world.call(caller, {})).status).toBe(200)
    const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 20_000, onError: () => {} })
    if (redis.status !== 'ready') await once(redis, 'ready')
    const announce = (message: object) =>
      publishInvalidation({ redis, prefix: redisPrefixOf(world.databaseUrl) }, message)
    await revoke(caller.keyId, announce)
    await expect.poll(async () => (await world.call(caller, {})).status).toBe(401)
    redis.disconnect()
  })

  it('is refused after 15 seconds though every message was lost', async () => {
    const caller = await world.createClient()
    expect((await world.call(caller, {})).status).toBe(200)
    await revoke(caller.keyId, async () => {})
    expect((await world.call(caller, {})).status).toBe(200)
    clock.forward(15_000)
    expect((await world.call(caller, {})).status).toBe(401)
  })

  it('is not brought back by requests that were under way', async () => {
    const caller = await world.createClient()
    world.upstream.play({ kind: 'echo' })
    const calls = Array.from({ length: 30 }, () => world.call(caller, { max_tokens: 1 }))
    await revoke(caller.keyId, async () => {})
    await Promise.all(calls)
    clock.forward(15_000)
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await world.call(caller, {})).status))
    expect(new Set(statuses)).toEqual(new Set([401]))
    await world.expectSoundBooks()
  })
})
