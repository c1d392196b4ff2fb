import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { newUuid } from '#lib/uuid.ts'
import { createRuleCache, type RuleCacheOptions } from './rule-cache.ts'

const word = (keyword: string, special: Partial<FilterRule> = {}): FilterRule => ({
  id: newUuid(0),
  name: keyword,
  enabled: true,
  action: 'block',
  matcher: { kind: 'keyword', keyword },
  ...special,
})

/** A store that answers on demand, and a clock that the test moves. */
function startCache(special: Partial<RuleCacheOptions> = {}) {
  const world = { nowMs: 1_800_000_000_000 }
  const asked: { organizationId: string; answer: (rules: FilterRule[]) => void; fail: () => void }[] = []
  const load = (organizationId: string) =>
    new Promise<FilterRule[]>((resolve, reject) => {
      asked.push({ organizationId, answer: resolve, fail: () => reject(new Error('connection refused')) })
    })
  const cache = createRuleCache({ load, clock: () => world.nowMs, ...special })
  async function findAnswering(organizationId: string, rules: FilterRule[]) {
    const found = cache.find(organizationId)
    asked.at(-1)?.answer(rules)
    return (await found).rules
  }
  return { world, asked, cache, findAnswering }
}

describe('the rules of an organization', () => {
  it('are asked for once, however many requests come, and then known at once', async () => {
    const { asked, cache } = startCache()
    const waiting = [cache.find('a'), cache.find('a'), cache.find('a')]
    expect(asked).toHaveLength(1)
    asked[0]?.answer([word('x')])
    const [first] = await Promise.all(waiting)
    expect(cache.find('a')).toBe(first)
  })

  it('are only those that are enabled, and are named anew only when they differ', async () => {
    const { world, cache, findAnswering } = startCache()
    const rule = word('x')
    expect(await findAnswering('a', [rule, word('y', { enabled: false })])).toEqual([rule])
    const { ruleSet } = await cache.find('a')
    world.nowMs += 15_000
    await findAnswering('a', [rule])
    expect((await cache.find('a')).ruleSet).toBe(ruleSet)
    world.nowMs += 15_000
    await findAnswering('a', [{ ...rule, action: 'flag' }])
    expect((await cache.find('a')).ruleSet).not.toBe(ruleSet)
  })

  it('are refreshed behind from ten seconds on, and first from fifteen on', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    const old = await findAnswering('a', [word('old')])
    world.nowMs += 10_000
    expect(await cache.find('a')).toMatchObject({ rules: old })
    expect(asked).toHaveLength(2)
    asked[1]?.fail()
    await nextTurn()
    world.nowMs += 5_000
    expect(await findAnswering('a', [])).toEqual([])
  })

  it('are expired when the clock went back', async () => {
    const { world, findAnswering } = startCache()
    await findAnswering('a', [word('old')])
    world.nowMs -= 1
    expect(await findAnswering('a', [])).toEqual([])
  })

  it.each([{ organizationId: 'a' }, { all: true as const }])(
    'are forgotten by %o, also those on their way',
    async (told) => {
      const { asked, cache, findAnswering } = startCache()
      await findAnswering('a', [word('old')])
      cache.invalidate(told)
      const early = cache.find('a')
      cache.invalidate(told)
      expect(await findAnswering('a', [])).toEqual([])
      asked[1]?.answer([word('old')])
      await early
      expect(await cache.find('a')).toMatchObject({ rules: [] })
    },
  )

  it('are not forgotten for what concerns others', async () => {
    const { asked, cache, findAnswering } = startCache()
    await findAnswering('a', [])
    cache.invalidate({ organizationId: 'b' })
    cache.invalidate({ keyHash: 'a', userId: 'a', walletId: 'a' })
    await cache.find('a')
    expect(asked).toHaveLength(1)
  })

  it('[FILTER-01] that can not be read refuse with 503: a request is never let through unfiltered', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    const unknown = cache.find('a')
    asked[0]?.fail()
    await expect(unknown).rejects.toMatchObject({
      errorName: 'storeUnavailable',
      message: "Your organization's content filters could not be loaded. Retry shortly.",
      inside: 'filter rules could not be loaded: connection refused',
      retryAfterS: 1,
    })
    await findAnswering('a', [])
    world.nowMs += 15_000
    const expired = cache.find('a')
    asked.at(-1)?.fail()
    await expect(expired).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  })

  it('that do not come within two seconds refuse as well', async () => {
    const { cache } = startCache({ loadTimeoutMs: 10 })
    await expect(cache.find('a')).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  })

  it('are kept of so many organizations and no more', async () => {
    const { asked, cache, findAnswering } = startCache({ maxEntries: 2 })
    for (const organizationId of ['a', 'b', 'c']) await findAnswering(organizationId, [])
    await Promise.all([cache.find('b'), cache.find('c')])
    expect(asked).toHaveLength(3)
    await findAnswering('a', [])
    expect(asked).toHaveLength(4)
  })
})
