import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Invalidation } from '#domain/access/invalidation.ts'
import type { Principal } from '#domain/access/principal.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createPrincipalCache, type PrincipalCacheOptions } from './principal-cache.ts'

/** A key store that answers on demand, and a clock that the test moves. */
function startCache(special: Partial<PrincipalCacheOptions> = {}) {
  const world = { nowMs: 1_800_000_000_000 }
  const asked: { keyHash: string; answer: (principal: Principal | null) => void; fail: () => void }[] = []
  const keys = {
    findPrincipal: (keyHash: string) =>
      new Promise<Principal | null>((resolve, reject) => {
        asked.push({ keyHash, answer: resolve, fail: () => reject(new Error('connection refused')) })
      }),
  }
  const cache = createPrincipalCache({ keys, clock: () => world.nowMs, ...special })
  async function findAnswering(keyHash: string, principal: Principal | null) {
    const found = cache.find(keyHash)
    asked.at(-1)?.answer(principal)
    return await found
  }
  async function findFailing(keyHash: string) {
    const found = cache.find(keyHash)
    asked.at(-1)?.fail()
    return await found
  }
  return { world, asked, cache, findAnswering, findFailing }
}

const principal = makePrincipal()

describe('the ages of an entry', () => {
  it('fresh: it is answered without the store', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 9_999
    expect(await cache.find('a')).toBe(principal)
    expect(asked).toHaveLength(1)
  })

  it('past the soft age: it is answered at once and refreshed behind, once', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 10_000
    expect(await Promise.all([cache.find('a'), cache.find('a')])).toEqual([principal, principal])
    expect(asked).toHaveLength(2)
    const edited = makePrincipal()
    asked.at(-1)?.answer(edited)
    await nextTurn()
    expect(await cache.find('a')).toBe(edited)
  })

  it('[AUTH-17] past the hard age, 15 s: it is not answered before the store has been asked', async () => {
    const { world, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 15_000
    expect(await findAnswering('a', null)).toBeNull()
  })

  it('when the clock went back: it is refreshed first', async () => {
    const { world, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs -= 1
    expect(await findAnswering('a', null)).toBeNull()
  })
})

describe('refreshing what is used', () => {
  it('loads a key that is no longer fresh, so that its next request waits for nothing', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 9_999
    cache.refreshUsed()
    expect(asked).toHaveLength(1)
    world.nowMs += 1
    cache.refreshUsed()
    cache.refreshUsed()
    expect(asked).toHaveLength(2)
    const edited = makePrincipal()
    asked.at(-1)?.answer(edited)
    await nextTurn()
    world.nowMs += 9_999
    expect(await cache.find('a')).toBe(edited)
    expect(asked).toHaveLength(2)
  })

  it('ends five minutes after the last use, and never begins for what no key has', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    await findAnswering('b', null)
    world.nowMs += 300_000
    cache.refreshUsed()
    expect(asked.map(({ keyHash }) => keyHash)).toEqual(['a', 'b', 'a'])
    asked.at(-1)?.answer(principal)
    await nextTurn()
    world.nowMs += 10_000
    cache.refreshUsed()
    expect(asked).toHaveLength(3)
  })

  it('is tried again a second after the store failed', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 10_000
    cache.refreshUsed()
    asked.at(-1)?.fail()
    await nextTurn()
    world.nowMs += 999
    cache.refreshUsed()
    expect(asked).toHaveLength(2)
    world.nowMs += 1
    cache.refreshUsed()
    expect(asked).toHaveLength(3)
  })

  it('is for five thousand keys at most', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    for (let key = 0; key <= 5_000; key += 1) await findAnswering(String(key), principal)
    world.nowMs += 10_000
    cache.refreshUsed()
    expect(asked).toHaveLength(5_001 + 5_000)
  })
})

describe('[P14] an invalidated key', () => {
  const invalidations: Invalidation[] = [
    { keyHash: 'a' },
    { walletId: principal.walletId },
    { userId: principal.userId ?? '' },
    { all: true },
  ]

  it.each(invalidations)('is asked for again at once: %o', async (invalidation) => {
    const { cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    cache.invalidate(invalidation)
    expect(await findAnswering('a', null)).toBeNull()
  })

  it.each(invalidations)('is not brought back by a load that began before: %o', async (invalidation) => {
    const { asked, cache, findAnswering } = startCache()
    const early = cache.find('a')
    cache.invalidate(invalidation)
    const late = cache.find('a')
    expect(asked).toHaveLength(2)
    asked[1]?.answer(null)
    expect(await late).toBeNull()
    asked[0]?.answer(principal)
    await early
    expect(await cache.find('a')).toBeNull()
    cache.invalidate({ keyHash: 'a' })
    expect(await findAnswering('a', principal)).toBe(principal)
  })

  it.each(invalidations)('is not brought back by a refresh behind: %o', async (invalidation) => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 12_000
    await cache.find('a')
    cache.invalidate(invalidation)
    asked.at(-1)?.answer(principal)
    await nextTurn()
    expect(cache.size).toBe(0)
    expect(await findAnswering('a', null)).toBeNull()
  })

  it('is not brought back by a failing store either', async () => {
    const { cache, findAnswering, findFailing } = startCache()
    await findAnswering('a', principal)
    cache.invalidate({ keyHash: 'a' })
    await expect(findFailing('a')).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  })

  it('is forgotten with its organization, and with no other', async () => {
    const { asked, cache, findAnswering } = startCache()
    await findAnswering('a', makePrincipal({ organizationId: 'acme' }))
    cache.invalidate({ organizationId: 'other' })
    await cache.find('a')
    expect(asked).toHaveLength(1)
    cache.invalidate({ organizationId: 'acme' })
    expect(await findAnswering('a', null)).toBeNull()
  })

  it('was unknown, and is asked for again only where all are meant', async () => {
    const { asked, cache, findAnswering } = startCache()
    await findAnswering('a', null)
    cache.invalidate({ organizationId: 'acme' })
    expect(await cache.find('a')).toBeNull()
    expect(asked).toHaveLength(1)
    cache.invalidate({ all: true })
    expect(await findAnswering('a', principal)).toBe(principal)
  })

  it('leaves the keys of others alone', async () => {
    const { asked, cache, findAnswering } = startCache()
    await findAnswering('a', principal)
    await findAnswering('b', makePrincipal({ userId: null }))
    cache.invalidate({ keyHash: 'c', walletId: 'w', userId: 'u' })
    await Promise.all([cache.find('a'), cache.find('b')])
    expect(asked).toHaveLength(2)
  })
})

describe('[AUTH-20] while the key store fails', () => {
  it('an unseen key gets 503, never 401', async () => {
    const { findFailing } = startCache()
    await expect(findFailing('a')).rejects.toMatchObject({
      row: { status: 503 },
      message: 'Your API key could not be verified. Retry shortly.',
      inside: 'key lookup failed: connection refused',
      retryAfterS: 1,
    })
  })

  it('a seen key passes for an hour, and the store is not asked for each request', async () => {
    const { world, asked, cache, findAnswering, findFailing } = startCache()
    await findAnswering('a', principal)
    world.nowMs += 15_000
    expect(await findFailing('a')).toBe(principal)
    world.nowMs += 999
    expect(await cache.find('a')).toBe(principal)
    expect(asked).toHaveLength(2)
    world.nowMs += 1
    expect(await findFailing('a')).toBe(principal)
    world.nowMs += 3_600_000
    await expect(findFailing('a')).rejects.toMatchObject({ row: { status: 503 } })
  })

  it('a store that hangs is given up', async () => {
    const { cache } = startCache({ loadTimeoutMs: 5 })
    await expect(cache.find('a')).rejects.toMatchObject({ row: { status: 503 } })
  })
})

describe('the bounds', () => {
  it('a hundred requests with one unseen key ask the store once', async () => {
    const { asked, cache } = startCache()
    const found = Array.from({ length: 100 }, () => cache.find('a'))
    expect(asked).toHaveLength(1)
    asked[0]?.answer(principal)
    expect(new Set(await Promise.all(found))).toEqual(new Set([principal]))
  })

  it('an unknown key is remembered for a second', async () => {
    const { world, asked, cache, findAnswering } = startCache()
    await findAnswering('a', null)
    world.nowMs += 999
    expect(await cache.find('a')).toBeNull()
    expect(asked).toHaveLength(1)
    world.nowMs += 1
    expect(await findAnswering('a', principal)).toBe(principal)
  })

  it('entries beyond the maximum push out the oldest', async () => {
    const { asked, cache, findAnswering } = startCache({ maxEntries: 2 })
    for (const keyHash of ['a', 'b', 'c']) await findAnswering(keyHash, principal)
    expect(cache.size).toBe(2)
    await findAnswering('a', principal)
    expect(asked).toHaveLength(4)
  })

  it('a key that was refreshed is not the oldest any more', async () => {
    const { world, asked, cache, findAnswering } = startCache({ maxEntries: 2 })
    await findAnswering('a', principal)
    await findAnswering('b', principal)
    world.nowMs += 15_000
    await findAnswering('a', principal)
    await findAnswering('c', principal)
    await cache.find('a')
    expect(asked).toHaveLength(4)
  })

  it('100,000 keys that share a long prefix never answer for each other', async () => {
    const count = 100_000
    const owners = new Map<string, Principal>()
    for (let number = 0; number < count; number += 1) {
      const keyHash = hash('sha256', `sk-weir-${'0'.repeat(64)}${number}`)
      owners.set(keyHash, { ...principal, keyName: String(number) })
    }
    expect(owners.size).toBe(count)
    const keys = { findPrincipal: async (keyHash: string) => owners.get(keyHash) ?? null }
    const cache = createPrincipalCache({ keys, clock: () => 0 })
    for (let round = 0; round < 2; round += 1) {
      for (const [keyHash, owner] of owners) {
        if ((await cache.find(keyHash)) !== owner) throw new Error(`key ${owner.keyName} got another principal`)
      }
    }
    expect(cache.size).toBe(count)
    expect(await cache.find(hash('sha256', `sk-weir-${'0'.repeat(64)}${count}`))).toBeNull()
  })
})
