import { describe, expect, it } from 'vitest'
import type { Model } from '#domain/catalogue/model.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import type { Candidate } from './candidates.ts'
import { emptyOwnKeyStore, fallbackModes, findOwnKeys, type OwnKey, ownKeyProtocols, placeOwnKeys } from './own-keys.ts'
import { noPreferences } from './preferences.ts'

const [one, other] = ['maker/one', 'maker/other'].map(modelNamed)
assert(one !== undefined && other !== undefined, 'two models were made')

describe('findOwnKeys', () => {
  const store = { revision: 1, byOrganization: new Map([['org', [keyFor('a', [one])]]]) }

  it('[BYOK-13] finds a key by organization and model alone', () => {
    expect(findOwnKeys(store, { organizationId: 'org', keyId: 'k' }, one)).toHaveLength(1)
    expect(findOwnKeys(store, { organizationId: 'org', keyId: 'k' }, other)).toHaveLength(0)
    expect(findOwnKeys(store, { organizationId: 'else', keyId: 'k' }, one)).toHaveLength(0)
    expect(findOwnKeys(store, { organizationId: null, keyId: 'k' }, one)).toHaveLength(0)
    expect(findOwnKeys(emptyOwnKeyStore, { organizationId: 'org', keyId: 'k' }, one)).toHaveLength(0)
  })

  it('are none before any were loaded, and speak one of two protocols', () => {
    expect(emptyOwnKeyStore).toEqual({ revision: 0, byOrganization: new Map() })
    expect(ownKeyProtocols).toEqual(['openai', 'anthropic'])
    expect(fallbackModes).toEqual(['seamless', 'strict'])
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
    expect(place(keys, { ...noPreferences, only: ['own-vendor'] }).names).toEqual(['own', 'p1', 'p2', 'p3'])
  })

  it('says of each candidate why it was left out', () => {
    const keys = { [one.id]: [keyFor('own', [one])] }
    const own = { model: one.id, provider: 'own-vendor' }
    expect(place(keys, { ...noPreferences, ignore: ['own-vendor'] }).excluded).toEqual([{ ...own, rule: 'ignore' }])
    expect(place(keys, { ...noPreferences, only: ['p'], ignore: ['own-vendor'] }).excluded).toEqual([
      { ...own, rule: 'only' },
    ])
    expect(place(keys, { ...noPreferences, allowFallbacks: false }).excluded).toEqual([
      { model: one.id, provider: 'p', rule: 'allow_fallbacks' },
      { model: one.id, provider: 'p', rule: 'allow_fallbacks' },
      { model: other.id, provider: 'p', rule: 'allow_fallbacks' },
    ])
    const strict = { ...keyFor('own', [other]), fallbackMode: 'strict' as const }
    expect(place({ [other.id]: [keyFor('first', [other]), strict] })).toEqual({
      names: ['p1', 'p2', 'first', 'own'],
      excluded: [{ model: other.id, provider: 'p', rule: 'strict_key' }],
    })
  })

  it('gives keys of several models their places, and leaves the list it was given as it was', () => {
    const keys = { [one.id]: [keyFor('k1', [one])], [other.id]: [keyFor('k2', [other]), keyFor('k3', [other])] }
    expect(place(keys).names).toEqual(['k1', 'p1', 'p2', 'k2', 'k3', 'p3'])
    expect(platform.map(({ account }) => account.name)).toEqual(['p1', 'p2', 'p3'])
  })

  it('puts the key of a later model last where no host of it is left', () => {
    expect(place({ [other.id]: [keyFor('own', [other])] }, noPreferences, [hostOf(one, 'p1')]).names).toEqual([
      'p1',
      'own',
    ])
  })
})

const made = (model: Model, key: OwnKey) =>
  placeOwnKeys({ platform: [], models: [model], keysOf: () => [key], preferences: noPreferences }).candidates[0]

describe('[BYOK-13] a candidate with an own key', () => {
  const price = { id: 'listed', base: {}, tiers: [] }
  const offer = {
    provider: 'own-vendor',
    variant: '',
    upstreamModel: 'unused',
    contextLength: null,
    maxCompletionTokens: 70,
    quantization: 'fp8',
    price: { id: 'offered', base: {}, tiers: [] },
  }

  it('is asked through the interface that its provider sells the model by', () => {
    const model = { ...one, offers: [{ ...offer, api: 'responses' as const }], price }
    expect(made(model, keyFor('own', [one]))).toMatchObject({ api: 'responses' })
  })

  it('has the name that the key knows the model by, and the price of its provider', () => {
    const elsewhere = { ...offer, provider: 'elsewhere', price, maxCompletionTokens: 1 }
    const model = { ...one, offers: [elsewhere, offer], price, maxCompletionTokens: 900 }
    expect(made(model, keyFor('own', [one]))).toEqual({
      model,
      account: accountNamed('own', 'own-vendor'),
      upstreamModel: 'up-maker/one',
      price: offer.price,
      maxCompletionTokens: 70,
      quantization: 'fp8',
      billing: 'own_key',
    })
  })

  it('has the price of the model where its provider has no offer, and an empty one where there is none', () => {
    const model = { ...one, offers: [], price, maxCompletionTokens: 900 }
    expect(made(model, keyFor('own', []))).toMatchObject({
      upstreamModel: 'maker/one',
      price,
      maxCompletionTokens: 900,
      quantization: null,
    })
    expect(made({ ...model, price: null }, keyFor('own', []))?.price).toEqual({ id: '', base: {}, tiers: [] })
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
