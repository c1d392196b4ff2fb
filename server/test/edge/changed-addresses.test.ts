import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeKey } from '#control/keys/change-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { Announce } from '#ports/announce.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { publishInvalidation } from '#store/redis/invalidations.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createClient } from '#test/setup/client.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { startSecondGateway } from './second-gateway.ts'

describe('a changed allow-list', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let first: TestGateway
  let second: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    first = await startTestGateway({}, clock)
    second = await startSecondGateway(first, {}, clock)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  async function statusesFor(key: string): Promise<number[]> {
    const answers = await Promise.all([first.url, second.url].map((url) => createClient(url, key).get('/v1/key')))
    return answers.map(({ status }) => status)
  }

  function shutOut(keyId: string, announce: Announce): Promise<void> {
    const { keys } = createPostgresOperators(first.pool)
    const change = { allowedCidrs: ['203.0.113.7'] }
    return changeKey({ keys, announce }, { keyId, account: null }, change, operatorAuthor(clock.nowMs()))
  }

  it('[AUTH-17] holds at once on every instance that hears of it', async () => {
    const caller = await first.createClient()
    expect(await statusesFor(caller.key)).toEqual([200, 200])
    const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 20_000, onError: () => {} })
    await once(redis, 'ready')
    const prefix = redisPrefixOf(first.databaseUrl)
    await shutOut(caller.keyId, (invalidation) => publishInvalidation({ redis, prefix }, invalidation))
    redis.disconnect()
    // The clock stands still, so only the invalidation message can be the reason.
    await expect.poll(() => statusesFor(caller.key), { interval: 100 }).toEqual([401, 401])
  })

  it('[AUTH-17] holds within 15 s even where the message is lost', async () => {
    const caller = await first.createClient()
    expect(await statusesFor(caller.key)).toEqual([200, 200])
    await shutOut(caller.keyId, async () => {})
    expect(await statusesFor(caller.key)).toEqual([200, 200])
    clock.forward(15_000)
    expect(await statusesFor(caller.key)).toEqual([401, 401])
  })
})
