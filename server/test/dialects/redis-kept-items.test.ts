import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealingKeyFrom } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisKeptItems } from '#store/redis/redis-kept-items.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'

const secret = 'Jm3vQp8sXw2nLk7tRy5uBz9cHd4fGa6e'
const nowMs = Date.parse('2030-01-07T12:00:00Z')
const keptMs = 3_600_000
let redis: Redis
beforeAll(async () => {
  redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
  await once(redis, 'ready')
})
const prefixes: string[] = []
afterAll(async () => {
  for (const prefix of prefixes) {
    const keys = await redis.keys(`${prefix}*`)
    if (keys.length > 0) await redis.del(...keys)
  }
  redis.disconnect()
})

function openStore(special: { walletBytesMax?: number; secrets?: [string, ...string[]]; prefix?: string } = {}) {
  const { walletBytesMax = 1_000_000, secrets: [first, ...previous] = [secret], prefix = randomRedisPrefix() } = special
  prefixes.push(prefix)
  const items = createRedisKeptItems({
    redis,
    prefix,
    sealingKey: sealingKeyFrom(first, previous),
    keptMs,
    walletBytesMax,
  })
  const find = (wallet: Uuid, ids: string[], atMs = nowMs) =>
    items.find(wallet, ids, { nowMs: atMs, bytesMax: 1_000_000 })
  const keep = (wallet: Uuid, ids: string[], atMs = nowMs, size = 10) =>
    items.keep(
      wallet,
      ids.map((id) => ({ id, json: `${id} ${'x'.repeat(size)}` })),
      atMs,
    )
  return { items, prefix, find, keep }
}

const jsonOf = (id: string, size = 10): string => `${id} ${'x'.repeat(size)}`
const newWallet = (): Uuid => newUuid(nowMs)

describe('kept items', () => {
  it('[V3] are found in the order of the question, by their own wallet alone', async () => {
    const { keep, find } = openStore()
    const [wallet, other] = [newWallet(), newWallet()]
    await keep(wallet, ['rs_1', 'msg {1}:\n東'])
    expect(await find(wallet, ['msg {1}:\n東', 'none', 'rs_1'])).toEqual([jsonOf('msg {1}:\n東'), null, jsonOf('rs_1')])
    expect(await find(other, ['rs_1', 'none'])).toEqual([null, null])
    await keep(other, ['rs_1'], nowMs, 20)
    expect(await find(wallet, ['rs_1'])).toEqual([jsonOf('rs_1')])
    expect(await find(other, ['rs_1'])).toEqual([jsonOf('rs_1', 20)])
  })

  it('[V3] are sealed, and open for no other wallet, id or secret', async () => {
    const { items, keep, find, prefix } = openStore()
    const [wallet, other] = [newWallet(), newWallet()]
    await items.keep(wallet, [{ id: 'msg_1', json: '{"text":"violet quokka orchard"}' }], nowMs)
    const [name] = (await redis.keys(`${prefix}item-one:*`)).sort()
    const stored = await redis.get(name ?? '')
    expect(stored).toMatch(/^\{"keyId":"k-/)
    expect(`${name}${stored}`).not.toMatch(/quokka|msg_1/)
    expect(Buffer.from(stored ?? '', 'base64').toString('latin1')).not.toContain('quokka')
    // An attacker with write access to Redis cannot move an item to another wallet or id.
    await keep(other, ['msg_1'])
    await keep(wallet, ['msg_2'])
    for (const key of await redis.keys(`${prefix}item-one:*`)) await redis.set(key, stored ?? '')
    expect(await find(other, ['msg_1'])).toEqual([null])
    expect(await find(wallet, ['msg_2'])).toEqual([null])
    expect(await find(wallet, ['msg_1'])).toEqual(['{"text":"violet quokka orchard"}'])
    const next = 'another secret of at least 32 characters'
    expect(await openStore({ prefix, secrets: [next] }).find(wallet, ['msg_1'])).toEqual([null])
    expect(await openStore({ prefix, secrets: [next, secret] }).find(wallet, ['msg_1'])).toEqual([
      '{"text":"violet quokka orchard"}',
    ])
  })

  it('[V3] expire, and every use renews them', async () => {
    const { keep, find, prefix } = openStore()
    const wallet = newWallet()
    await keep(wallet, ['a', 'b'])
    const keys = await redis.keys(`${prefix}*`)
    expect(keys).toHaveLength(4)
    for (const key of keys) {
      const leftMs = await redis.pttl(key)
      expect(leftMs).toBeGreaterThan(0)
      expect(leftMs).toBeLessThanOrEqual(keptMs)
      await redis.pexpire(key, 600_000)
    }
    await find(wallet, ['a'])
    const left = await Promise.all((await redis.keys(`${prefix}*`)).map((key) => redis.pttl(key)))
    expect(left.filter((leftMs) => leftMs > 600_000)).toHaveLength(3)
    expect(left.filter((leftMs) => leftMs <= 600_000)).toHaveLength(1)
  })

  it('[V3] of one wallet are bounded: those that were unused the longest go, and others keep theirs', async () => {
    // Space for three items; a sealed one of 1,000 characters has about 1,600 bytes.
    const { keep, find } = openStore({ walletBytesMax: 5_500 })
    const [wallet, other] = [newWallet(), newWallet()]
    await keep(other, ['a'], nowMs, 1_000)
    await keep(wallet, ['a'], nowMs, 1_000)
    await keep(wallet, ['b'], nowMs + 1, 1_000)
    await keep(wallet, ['c'], nowMs + 2, 1_000)
    await find(wallet, ['a'], nowMs + 3)
    await keep(wallet, ['d'], nowMs + 4, 1_000)
    const found = await find(wallet, ['a', 'b', 'c', 'd'], nowMs + 5)
    expect(found?.map((json) => json !== null)).toEqual([true, false, true, true])
    expect(await find(other, ['a'], nowMs + 5)).toEqual([jsonOf('a', 1_000)])
    await keep(wallet, ['large'], nowMs + 6, 9_000)
    expect(await find(wallet, ['a', 'c', 'd', 'large'], nowMs + 7)).toEqual([null, null, null, null])
    await keep(wallet, ['e'], nowMs + 8, 1_000)
    expect(await find(wallet, ['e'], nowMs + 8)).toEqual([jsonOf('e', 1_000)])
  })

  it('[V3] that have expired leave their room to others', async () => {
    const { keep, find, prefix } = openStore({ walletBytesMax: 5_500 })
    const wallet = newWallet()
    await keep(wallet, ['a', 'b', 'c'], nowMs, 1_000)
    await redis.del(await redis.keys(`${prefix}item-one:*`))
    const laterMs = nowMs + keptMs
    await keep(wallet, ['d', 'e', 'f'], laterMs, 1_000)
    const found = await find(wallet, ['d', 'e', 'f'], laterMs)
    expect(found?.map((json) => json !== null)).toEqual([true, true, true])
  })

  it('[V3] whose id came twice stand for neither of the two', async () => {
    const { keep, find } = openStore()
    const wallet = newWallet()
    await keep(wallet, ['msg_0', 'msg_1'])
    await keep(wallet, ['msg_0'], nowMs, 20)
    expect(await find(wallet, ['msg_0', 'msg_1'])).toEqual([null, jsonOf('msg_1')])
  })

  it('[V3] are not read where they are more than a request may hold', async () => {
    const { items, keep } = openStore()
    const wallet = newWallet()
    await keep(wallet, ['a', 'b'], nowMs, 1_000)
    expect(await items.find(wallet, ['a', 'b'], { nowMs, bytesMax: 900 })).toBeNull()
    expect(await items.find(wallet, ['a'], { nowMs, bytesMax: 900 })).toEqual([jsonOf('a', 1_000)])
  })
})
