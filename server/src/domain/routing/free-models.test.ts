import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import { type FreeModels, freeLimitsOf, noFreeModels } from './free-models.ts'
import { asksForFree, calledId, createFreeVariants } from './free-variants.ts'

const template = testModel('test/echo')
assert(template !== undefined, 'the echo model is built in')
const price = { id: 'p', base: parseUnitPrices({ prompt: '1', completion: '2' }), tiers: [] }
const offer = {
  provider: 'host',
  variant: '',
  upstreamModel: 'river',
  contextLength: 5,
  maxCompletionTokens: 6,
  quantization: 'fp8',
  price,
}
const model = (id: string): Model => ({
  ...template,
  id,
  name: 'River',
  aliases: [`${id}-latest`],
  price,
  offers: [offer],
})
const paid = model('acme/river')
const entry = model('acme/river:free')
const limits = { requestsPerMinute: 3, unitsPerDay: 40 }
const saying = (id: string, enabled: boolean): FreeModels => ({
  revision: 1,
  byModel: new Map([[id, { ...limits, enabled }]]),
})

describe('[FREE-05] the quota within which a model is free', () => {
  it.each<[string, Model, FreeModels, object | null]>([
    ['is none for a model that nobody made free', paid, noFreeModels, null],
    ['is its own where an operator has set one', paid, saying('acme/river', true), { ...limits, enabled: true }],
    ['is none where an operator has switched it off', paid, saying('acme/river', false), null],
    ['is none by what is said of another model', paid, saying('acme/lake', true), null],
    ['is the usual one for a free entry', entry, noFreeModels, { requestsPerMinute: 10, unitsPerDay: 150 }],
    ['is its own for a free entry', entry, saying('acme/river:free', true), { ...limits, enabled: true }],
    // A free model is never charged, so a disabled one has no quota.
    [
      'is nothing for a free entry that is disabled',
      entry,
      saying('acme/river:free', false),
      { requestsPerMinute: 0, unitsPerDay: 0 },
    ],
  ])('%s', (_, asked, freeModels, expected) => {
    const found = freeLimitsOf(asked, freeModels)
    if (expected === null) expect(found).toBeNull()
    else expect(found).toMatchObject(expected)
  })

  it('is not known before operators have said anything', () => {
    expect(noFreeModels).toEqual({ revision: 0, byModel: new Map() })
  })
})

describe('a listing', () => {
  const catalogue = buildCatalogue(7, [paid, model('acme/lake')])

  it('has an entry for the free variant of a model with a free tier, after the model', () => {
    const shown = createFreeVariants()(catalogue, saying('acme/river', true))
    expect(shown.revision).toBe(7)
    expect([...shown.models.keys()]).toEqual(['acme/river', 'acme/river:free', 'acme/lake'])
    const nothing = { id: 'acme/river:free', base: { prompt: 0n, completion: 0n }, tiers: [] }
    expect(shown.models.get('acme/river:free')).toEqual({
      ...paid,
      id: 'acme/river:free',
      name: 'River (free)',
      aliases: [],
      price: nothing,
      offers: [{ ...offer, price: nothing }],
    })
    expect(shown.models.get('acme/river')).toEqual(paid)
  })

  it.each<[string, Model[], FreeModels]>([
    ['a model that is disabled', [paid], saying('acme/river', false)],
    ['a model that nobody made free', [paid], noFreeModels],
    ['a model whose variant the catalogue has', [paid, entry], saying('acme/river', true)],
    ['a model whose variant the catalogue has before it', [entry, paid], saying('acme/river', true)],
    ['a free entry itself', [entry], saying('acme/river:free', true)],
  ])('has no further entry for %s', (_, models, freeModels) => {
    const shown = createFreeVariants()(buildCatalogue(1, models), freeModels)
    expect([...shown.models.values()]).toEqual(models)
  })

  it('is made once for a catalogue and what is free of it, and again when either changes', () => {
    const show = createFreeVariants()
    const free = saying('acme/river', true)
    const first = show(catalogue, free)
    expect(show(catalogue, free)).toBe(first)
    const other = show(catalogue, noFreeModels)
    expect([...other.models.keys()]).toEqual(['acme/river', 'acme/lake'])
    expect([...show(buildCatalogue(8, [paid]), noFreeModels).models.keys()]).toEqual(['acme/river'])
  })
})

it.each([
  ['acme/river', 'acme/river'],
  ['acme/river:free', 'acme/river'],
  ['acme/lake:free', 'acme/lake:free'],
  ['acme/unknown', 'acme/unknown'],
  ['acme/pond:free:free', 'acme/pond:free'],
])('%s is judged as %s, its own entry or else the model that it is a variant of', (shown, called) => {
  expect(calledId(buildCatalogue(1, [paid, model('acme/lake:free')]), shown)).toBe(called)
})

it.each([
  ['acme/river:free', true],
  ['ACME/River:FREE', true],
  ['acme/river', false],
  ['acme/free', false],
  ['acme/river:free:online', false],
])('[FREE-11] %s asks for the free variant by name: %s', (name, expected) => {
  expect(asksForFree(name)).toBe(expected)
})
