import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShareAnswers } from '#control/usage/share-answers.ts'
import type { AnswerCache } from '#ports/usage.ts'
import { createMemoryAnswers } from '#store/memory/memory-answers.ts'
import { createRedisAnswers } from '#store/redis/redis-answers.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'

const keptMs = 60_000
const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 5_000 })

beforeAll(async () => {
  if (redis.status !== 'ready') await once(redis, 'ready')
})
afterAll(() => redis.disconnect())

const caches: Record<string, () => AnswerCache> = {
  Redis: () => createRedisAnswers({ redis, keptMs, prefix: randomRedisPrefix() }),
  memory: () => createMemoryAnswers({ keptMs }),
}

describe.each(Object.keys(caches))('answers in %s', (name) => {
  const create = caches[name] ?? (() => createMemoryAnswers({ keptMs }))

  it('are found once they are kept, and the first one stays', async () => {
    const answers = create()
    expect(await answers.find('a', 0)).toBeNull()
    expect(await answers.keep('a', 'one', 0)).toBe('one')
    expect(await answers.keep('a', 'two', 1)).toBe('one')
    expect(await answers.find('a', 2)).toBe('one')
    expect(await answers.find('b', 2)).toBeNull()
  })
})

it('answers in Redis are forgotten by it', async () => {
  const prefix = randomRedisPrefix()
  await createRedisAnswers({ redis, keptMs, prefix }).keep('a', 'one', 0)
  const leftMs = await redis.pttl(`${prefix}answer:a`)
  expect(leftMs).toBeGreaterThan(0)
  expect(leftMs).toBeLessThanOrEqual(keptMs)
})

describe('answers in memory', () => {
  it('are forgotten in time', async () => {
    const answers = createMemoryAnswers({ keptMs })
    await answers.keep('a', 'one', 0)
    expect(await answers.find('a', keptMs - 1)).toBe('one')
    expect(await answers.find('a', keptMs)).toBeNull()
    expect(await answers.keep('a', 'two', keptMs)).toBe('two')
  })

  it('are few, and not long together', async () => {
    const few = createMemoryAnswers({ keptMs, maxEntries: 2 })
    for (const question of ['a', 'b', 'c']) await few.keep(question, question, 0)
    expect(await Promise.all(['a', 'b', 'c'].map((question) => few.find(question, 1)))).toEqual([null, 'b', 'c'])
    const short = createMemoryAnswers({ keptMs, maxLength: 10 })
    await short.keep('a', 'x'.repeat(6), 0)
    await short.keep('b', 'x'.repeat(5), 0)
    expect(await short.find('a', 1)).toBeNull()
    expect(await short.find('b', 1)).toBe('xxxxx')
    // A value that does not fit the cache is still returned.
    expect(await short.keep('c', 'x'.repeat(11), 0)).toHaveLength(11)
    expect(await short.find('c', 1)).toBeNull()
    expect(await short.keep('d', 'x'.repeat(10), 0)).toHaveLength(10)
    expect(await short.find('d', 1)).toHaveLength(10)
  })
})

describe('[ACCT-25] sharing answers', () => {
  const forgetful: AnswerCache = { find: async () => null, keep: async (_question, answer) => answer }

  it('makes one for all who ask while it is made, and one for each question', async () => {
    const share = createShareAnswers({ shared: forgetful, own: forgetful })
    const { make, count } = counted()
    const asked = Array.from({ length: 5 }, () => share({ of: 'a' }, 0, make))
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['answer 1']))
    expect(await share({ of: 'b' }, 0, make)).toBe('answer 2')
    expect(count()).toBe(2)
  })

  it('goes by the own answers while nothing is shared', async () => {
    const share = createShareAnswers({ shared: forgetful, own: createMemoryAnswers({ keptMs }) })
    const { make } = counted()
    expect(await share({ of: 'a' }, 0, make)).toBe('answer 1')
    expect(await share({ of: 'a' }, 1, make)).toBe('answer 1')
    expect(await share({ of: 'a' }, keptMs, make)).toBe('answer 2')
  })

  it('answers what another process was first to say', async () => {
    const shared = createMemoryAnswers({ keptMs })
    const [one, other] = [forgetful, forgetful].map((own) => createShareAnswers({ shared, own }))
    if (one === undefined || other === undefined) throw new Error('there are two processes')
    const slow = one({ of: 'a' }, 0, async () => other({ of: 'a' }, 0, async () => 'sooner').then(() => 'later'))
    expect(await slow).toBe('sooner')
  })

  it('keeps no failure', async () => {
    const share = createShareAnswers({ shared: forgetful, own: createMemoryAnswers({ keptMs }) })
    await expect(share({ of: 'a' }, 0, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await share({ of: 'a' }, 0, async () => 'back')).toBe('back')
  })
})

function counted() {
  let made = 0
  return { make: async () => `answer ${(made += 1)}`, count: () => made }
}
