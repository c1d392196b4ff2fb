import { describe, expect, it } from 'vitest'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { chooseDefaults } from './choose-defaults.ts'
import type { AutoTable, AutoTier } from './tiers.ts'

const nowMs = Date.UTC(2026, 0, 1)

function model(id: string, price: string | null, change: Partial<Model> = {}): Model {
  return {
    id,
    name: id,
    author: id.slice(0, id.indexOf('/')),
    kind: 'chat',
    description: null,
    contextLength: 128_000,
    maxCompletionTokens: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: ['tools'],
    defaultProvider: null,
    upstreamModel: null,
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price: price === null ? null : { id: 'p', base: parseUnitPrices({ prompt: price, completion: price }), tiers: [] },
    offers: [],
    ...change,
  }
}

const priced = (id: string, prompt: string, completion: string) =>
  model(id, '1', { price: { id, base: parseUnitPrices({ prompt, completion }), tiers: [] } })

const ten = Array.from({ length: 10 }, (_, index) => model(`author${index}/m`, ((index + 1) / 100).toFixed(2)))

function choose(tier: AutoTier, models: Model[], table: AutoTable = 'paid'): string[] {
  return chooseDefaults({ table, tier }, models, nowMs)
}

describe('default models of a tier', () => {
  it('begin with the cheapest for simple requests, and higher up for demanding ones', () => {
    expect(choose('simple', ten).slice(0, 2)).toEqual(['author0/m', 'author1/m'])
    expect(choose('standard', ten)[0]).toBe('author4/m')
    expect(choose('complex', ten)[0]).toBe('author7/m')
  })

  it('are six where there are six, and go down the price list where there is nothing left above', () => {
    expect(choose('complex', ten)).toEqual([
      'author7/m',
      'author8/m',
      'author9/m',
      'author6/m',
      'author5/m',
      'author4/m',
    ])
    expect(choose('complex', ten.slice(0, 2))).toEqual(['author1/m', 'author0/m'])
    expect(choose('complex', [])).toEqual([])
  })

  it('can do what the tier asks for; any chat model is better than nobody, but not for pictures', () => {
    const seeing = model('seer/m', '0.1', { inputModalities: ['text', 'image'] })
    expect(choose('vision', [...ten, seeing])).toEqual(['seer/m'])
    expect(choose('vision', ten)).toEqual([])
    expect(choose('image', ten)).toEqual([])
    expect(choose('reasoning', ten)).toHaveLength(6)
  })

  const bare = model('bare/m', '0.1', { supportedParameters: null, contextLength: null })
  it.each<[AutoTier, Partial<Model>]>([
    ['reasoning', { supportedParameters: ['reasoning'] }],
    ['coding', { supportedParameters: ['tools'], contextLength: 100_000 }],
    ['vision', { inputModalities: ['image'] }],
    ['image', { outputModalities: ['image'] }],
    ['image', { kind: 'image', outputModalities: ['image'] }],
    ['video', { inputModalities: ['video'] }],
    ['data', { supportedParameters: ['structured_outputs'] }],
    ['search', { supportedParameters: ['tools'] }],
    ['calendar', { supportedParameters: ['tools'] }],
    ['trading', { supportedParameters: ['tools'] }],
  ])('of %s are those with %j, and no others where there is one', (tier, change) => {
    const able = { ...bare, id: 'able/m', author: 'able', ...change }
    expect(choose(tier, [bare, able])).toEqual(['able/m'])
  })

  it.each<[AutoTier, Partial<Model>]>([
    ['coding', { supportedParameters: ['tools'], contextLength: 99_999 }],
    ['coding', { supportedParameters: ['tools'], contextLength: null }],
    ['coding', { supportedParameters: [], contextLength: 100_000 }],
    ['reasoning', { supportedParameters: ['tools'] }],
    ['video', { inputModalities: ['image'] }],
    ['data', { supportedParameters: ['tools'] }],
  ])('of %s are all that talk where none is better than %j', (tier, change) => {
    const unable = { ...bare, id: 'unable/m', author: 'unable', ...change }
    expect(choose(tier, [bare, unable]).toSorted()).toEqual(['bare/m', 'unable/m'])
  })

  it.each<[AutoTier, Partial<Model>]>([
    ['reasoning', { supportedParameters: ['reasoning'] }],
    ['coding', { supportedParameters: ['tools'], contextLength: 100_000 }],
    ['vision', { inputModalities: ['image'] }],
    ['video', { inputModalities: ['video'] }],
    ['data', { supportedParameters: ['structured_outputs'] }],
    ['search', { supportedParameters: ['tools'] }],
    ['calendar', { supportedParameters: ['tools'] }],
    ['trading', { supportedParameters: ['tools'] }],
    ['simple', {}],
    ['social', {}],
    ['email', {}],
  ])('of %s are models that talk, whatever else they can: %j', (tier, change) => {
    const mute = { ...bare, ...change, kind: 'speech' as const }
    const silent = { ...bare, ...change, id: 'silent/m', outputModalities: ['audio' as const] }
    expect(choose(tier, [mute, silent])).toEqual([])
  })

  it.each<[AutoTier, string]>([
    ['simple', 'author0/m'],
    ['email', 'author3/m'],
    ['calendar', 'author3/m'],
    ['standard', 'author4/m'],
    ['social', 'author4/m'],
    ['search', 'author4/m'],
    ['data', 'author5/m'],
    ['coding', 'author6/m'],
    ['trading', 'author6/m'],
    ['reasoning', 'author6/m'],
    ['complex', 'author7/m'],
  ])('of %s begin so far up the price list: %s of ten', (tier, id) => {
    const able = ten.map((each) => ({ ...each, supportedParameters: ['tools', 'reasoning', 'structured_outputs'] }))
    expect(choose(tier, able)[0]).toBe(id)
  })

  it('are compared by a request that reads three times as much as it writes, then by name', () => {
    const found = [
      priced('d/m', '0.000002', '0.000001'),
      priced('c/m', '0.000001', '0.000004'),
      priced('b/m', '0.000001', '0.000004'),
      priced('a/m', '0.000001', '0.000005'),
    ]
    expect(choose('simple', found)).toEqual(['b/m', 'c/m', 'd/m', 'a/m'])
    expect(choose('simple', found.toReversed())).toEqual(['b/m', 'c/m', 'd/m', 'a/m'])
  })

  it('of the free table are in the order of their names where they are as old as each other', () => {
    const free = ['b/x:free', 'c/x:free', 'a/x:free'].map((id) => model(id, '0', { releasedAtMs: null }))
    expect(choose('simple', [...free, model('d/x:free', '0', { releasedAtMs: 1 })], 'free')).toEqual([
      'd/x:free',
      'a/x:free',
      'b/x:free',
      'c/x:free',
    ])
  })

  it('are priced, listed, not about to retire, and no model has two others of its author before it', () => {
    const unfit = [
      model('a/unpriced', null),
      model('a/preview', '0'),
      model('a/unlisted', '0.1', { listed: false }),
      model('a/leaving', '0.1', { retiresAtMs: nowMs + 1 }),
      model('a/embedding', '0.1', { kind: 'embedding', outputModalities: ['embeddings'] }),
    ]
    expect(choose('simple', unfit)).toEqual([])
    const same = ['1', '2', '3'].map((price) => model(`one/${price}`, `0.00${price}`))
    expect(choose('simple', [...same, model('two/m', '0.1')])).toEqual(['one/1', 'one/2', 'two/m', 'one/3'])
  })

  it('of the free table are free entries alone, the newest first', () => {
    const free = [model('a/old:free', '0', { releasedAtMs: 1 }), model('a/new:free', '0', { releasedAtMs: 2 })]
    expect(choose('complex', [...ten, ...free], 'free')).toEqual(['a/new:free', 'a/old:free'])
    expect(choose('simple', [...ten, ...free])).not.toContain('a/new:free')
  })
})
