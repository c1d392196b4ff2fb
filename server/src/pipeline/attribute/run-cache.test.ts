import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { noRules } from '#domain/runs/run-rules.ts'
import type { NamedRun, RunTerms } from '#domain/runs/run.ts'
import { createRunCache } from './run-cache.ts'

const terms: RunTerms = {
  id: 'r',
  externalId: 'job',
  path: ['r', 'top'],
  parent: 'boss',
  budget: nanoUsd(5n),
  budgets: [],
  stop: null,
  ownRules: noRules,
  rules: [],
}
const sender = { walletId: 'w'.repeat(36), keyId: 'k' }
const named = (more: Partial<NamedRun> = {}): NamedRun => ({
  id: 'job',
  budget: null,
  parent: null,
  rules: null,
  ...more,
})

/** A cache over a store with one run, which exists once it is created. */
function cacheOf(found: RunTerms | null = terms) {
  let stored = found
  const asked: string[] = []
  const cache = createRunCache({
    runs: {
      findTerms: async (_walletId, externalId) => {
        asked.push(`find ${externalId}`)
        return stored
      },
      create: async (_walletId, run, keyId) => {
        asked.push(`create ${run.id} by ${keyId}`)
        stored = terms
        return 'created'
      },
    },
    clock: () => 0,
  })
  return { cache, asked, set: (now: RunTerms) => (stored = now) }
}

describe('the cache of runs', () => {
  it('loads a run once', async () => {
    const { cache, asked } = cacheOf()
    expect(await cache.open(sender, named())).toBe(terms)
    expect(cache.open(sender, named())).toBe(terms)
    expect(asked).toEqual(['find job'])
  })

  it('creates an unknown run, and knows it from then on', async () => {
    const { cache, asked } = cacheOf(null)
    expect(await cache.open(sender, named())).toBe(terms)
    expect(cache.open(sender, named())).toBe(terms)
    expect(asked).toEqual(['find job', 'create job by k', 'find job'])
  })

  it('drops a run when it or a run above it stops', async () => {
    const { cache, set } = cacheOf()
    await cache.open(sender, named())
    set({ ...terms, stop: { reason: 'It loops.' } })
    cache.invalidate({ stoppedRun: 'other' })
    expect(cache.open(sender, named())).toBe(terms)
    cache.invalidate({ stoppedRun: 'top' })
    await expect(cache.open(sender, named())).rejects.toThrow('Reason: It loops.')
  })

  it.each([
    ['another budget', { budget: nanoUsd(6n) }, 'has a budget of $0.000000005, which cannot change'],
    ['other rules', { rules: { callsPerMinute: 1, repeats: null } }, 'has different rules, which cannot change'],
    ['another parent', { parent: 'other' }, 'has the parent boss, which cannot change'],
  ])('refuses %s', async (_name, other, message) => {
    const { cache } = cacheOf()
    await expect(cache.open(sender, named(other))).rejects.toThrow(message)
    expect(cache.open(sender, named({ budget: nanoUsd(5n), parent: 'boss' }))).toBe(terms)
  })

  it('answers 503 if the store is unavailable', async () => {
    const runs = { findTerms: () => Promise.reject(new Error('away')), create: () => Promise.reject(new Error('away')) }
    const cache = createRunCache({ runs, clock: () => 0 })
    await expect(cache.open(sender, named())).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  })
})
