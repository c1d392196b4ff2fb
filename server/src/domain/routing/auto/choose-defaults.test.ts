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
