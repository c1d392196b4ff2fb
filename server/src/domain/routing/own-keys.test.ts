import { describe, expect, it } from 'vitest'
import type { Model } from '#domain/catalogue/model.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import type { Candidate } from './candidates.ts'
import { emptyOwnKeyBook, findOwnKeys, type OwnKey, placeOwnKeys } from './own-keys.ts'
import { noPreferences } from './preferences.ts'

const [one, other] = ['maker/one', 'maker/other'].map(modelNamed)
assert(one !== undefined && other !== undefined, 'two models were made')

describe('findOwnKeys', () => {
  const book = { revision: 1, byOrganization: new Map([['org', [keyFor('a', [one])]]]) }

  it('[BYOK-13] finds a key by organization and model alone', () => {
    expect(findOwnKeys(book, { organizationId: 'org', keyId: 'k' }, one)).toHaveLength(1)
    expect(findOwnKeys(book, { organizationId: 'org', keyId: 'k' }, other)).toHaveLength(0)
    expect(findOwnKeys(book, { organizationId: 'else', keyId: 'k' }, one)).toHaveLength(0)
    expect(findOwnKeys(book, { organizationId: null, keyId: 'k' }, one)).toHaveLength(0)
    expect(findOwnKeys(emptyOwnKeyBook, { organizationId: 'org', keyId: 'k' }, one)).toHaveLength(0)
  })

  it('[BYOK-14] asks whether the calling key is in scope', () => {
    const scoped = { ...keyFor('a', [one]), scopedKeyIds: new Set(['k']) }
    const narrow = { revision: 1, byOrganization: new Map([['org', [scoped]]]) }
    expect(findOwnKeys(narrow, { organizationId: 'org', keyId: 'k' }, one)).toHaveLength(1)
    expect(findOwnKeys(narrow, { organizationId: 'org', keyId: 'else' }, one)).toHaveLength(0)
  })
})

describe('placeOwnKeys', () => {
  const platform = [hostOf(one, 'p1'), hostOf(one, 'p2'), hostOf(other, 'p3')]
  const place = (keys: Record<string, OwnKey[]>, preferences = noPreferences, given = platform) => {
    const placed = placeOwnKeys({
      platform: given,
      models: [one, other],
      keysOf: ({ id }) => keys[id] ?? [],
      preferences,
    })
    return { names: placed.candidates.map(({ account }) => account.name), excluded: placed.excluded }
  }

  it('[BYOK-13] puts a key before the hosts of its own model', () => {
    expect(place({ [one.id]: [keyFor('own', [one])] }).names).toEqual(['own', 'p1', 'p2', 'p3'])
    expect(place({ [other.id]: [keyFor('own', [other])] }).names).toEqual(['p1', 'p2', 'own', 'p3'])
    expect(place({ [one.id]: [keyFor('own', [one])] }, noPreferences, []).names).toEqual(['own'])
    expect(place({ [one.id]: [keyFor('own', [one])] }, noPreferences, [hostOf(other, 'p3')]).names).toEqual([
      'own',
      'p3',
    ])
  })

  it('[BYOK-15] leaves the platform out where a key is strict, for its model alone', () => {
    const strict = { ...keyFor('own', [one]), fallbackMode: 'strict' as const }
    const placed = place({ [one.id]: [strict] })
    expect(placed.names).toEqual(['own', 'p3'])
    expect(placed.excluded.map(({ rule }) => rule)).toEqual(['strict_key', 'strict_key'])
  })

  it('heeds only, ignore and allow_fallbacks', () => {
    const keys = { [one.id]: [keyFor('own', [one])] }
    expect(place(keys, { ...noPreferences, ignore: ['own-vendor'] }).names).toEqual(['p1', 'p2', 'p3'])
    expect(place(keys, { ...noPreferences, only: ['p'] }).names).toEqual(['p1', 'p2', 'p3'])
    expect(place(keys, { ...noPreferences, allowFallbacks: false }).names).toEqual(['own'])
  })
})

function modelNamed(id: string): Model {
  const model = testModel('test/echo')
  assert(model !== undefined, 'the test model exists')
  return { ...model, id }
}

function hostOf(model: Model, name: string): Candidate {
  return { ...fields(model), account: accountNamed(name, 'p'), billing: 'charged' }
}

function fields(model: Model) {
  const price = { id: 'p', base: {}, tiers: [] }
  return { model, upstreamModel: model.id, price, maxCompletionTokens: null, quantization: null }
}

function accountNamed(name: string, vendor: string) {
  return { id: name, name, vendor, baseUrl: null, credential: null, keepsPrompts: false, weight: 1 }
}

function keyFor(name: string, models: readonly Model[]): OwnKey {
  return {
    id: name,
    account: accountNamed(name, 'own-vendor'),
    fallbackMode: 'seamless',
    scopedKeyIds: new Set(),
    models: new Map(models.map(({ id }) => [id, `up-${id}`])),
  }
}
