import { describe, expect, it } from 'vitest'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import { canCharge, isChargeable, purposeOfKind } from './can-charge.ts'
import { buildCatalogue, emptyCatalogue } from './catalogue.ts'
import { findModel } from './find-model.ts'
import { lifeCycleAt } from './life-cycle.ts'
import { modalityOf } from './modality.ts'
import { isFreeEntry, isOpenAiFamily, type Model } from './model.ts'
import { reasonsUnseen } from './reasons-unseen.ts'

const dayMs = 86_400_000
const listOf = (units: Record<string, string>): PriceList => ({ id: 'p', base: parseUnitPrices(units), tiers: [] })
const words = listOf({ prompt: '0.000001', completion: '0.000002' })
const pictures = listOf({ per_image_output: '0.04' })
const nothing = listOf({})

function modelOf(change: Partial<Model> = {}): Model {
  return {
    id: 'acme/heron-2',
    name: 'Heron 2',
    author: 'acme',
    kind: 'chat',
    description: null,
    contextLength: null,
    maxCompletionTokens: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: null,
    defaultProvider: null,
    upstreamModel: null,
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price: null,
    offers: [],
    ...change,
  }
}

describe('a model of the catalogue', () => {
  const heron = modelOf()
  const catalogue = buildCatalogue(7, [heron, modelOf({ id: 'acme/egret:free' })])

  it.each([
    ['acme/heron-2', 'acme/heron-2'],
    ['Acme/Heron-2', 'acme/heron-2'],
    ['acme-heron-2', 'acme/heron-2'],
    ['ACME-EGRET:FREE', 'acme/egret:free'],
    ['heron-2', undefined],
    ['', undefined],
  ])('is found by the path %j: %s', (path, id) => {
    expect(findModel(catalogue, path)?.id).toBe(id)
  })

  it('is not in a catalogue that was never loaded', () => {
    expect(catalogue.revision).toBe(7)
    expect(emptyCatalogue.revision).toBeLessThan(0)
    expect(findModel(emptyCatalogue, heron.id)).toBeUndefined()
  })

  it.each([
    [null, 0, 'active'],
    [100 * dayMs, 70 * dayMs - 1, 'active'],
    [100 * dayMs, 70 * dayMs, 'end-of-life'],
    [100 * dayMs, 100 * dayMs - 1, 'end-of-life'],
    [100 * dayMs, 100 * dayMs, 'retired'],
  ] as const)('[MODEL-17] that retires at %s is at %i %s', (retiresAtMs, nowMs, state) => {
    expect(lifeCycleAt(modelOf({ retiresAtMs }), nowMs)).toBe(state)
  })

  it.each([
    [['image', 'text'], ['text'], 'text+image->text'],
    [['video', 'audio', 'file', 'image', 'text'], ['text', 'image'], 'text+image+file+audio+video->text+image'],
    [['text'], ['embeddings'], 'text->embeddings'],
    [[], ['text'], null],
    [['text'], [], null],
  ] as const)('with the inputs %j and outputs %j has the modality %s', (inputs, outputs, modality) => {
    expect(modalityOf({ inputModalities: inputs, outputModalities: outputs })).toBe(modality)
  })

  it.each([
    ['acme/egret:free', true],
    ['acme/egret', false],
    ['acme/free', false],
    ['acme/egret:freedom', false],
  ])('%s is a free entry: %s', (id, isFree) => {
    expect(isFreeEntry({ id })).toBe(isFree)
  })

  it.each([
    ['openai', true],
    ['acme', false],
  ])('of %s takes the fields of OpenAI alone: %s', (author, takes) => {
    expect(isOpenAiFamily(modelOf({ author }))).toBe(takes)
  })

  it.each([
    ['reasoning', true],
    ['include_reasoning', true],
    ['reasoning_effort', true],
    ['tools', false],
  ])('that takes %s may reason unseen: %s', (parameter, may) => {
    expect(reasonsUnseen({ supportedParameters: ['top_p', parameter] }, words)).toBe(may)
  })

  it('may reason unseen where reasoning has a price, and not where nothing says so', () => {
    expect(reasonsUnseen({ supportedParameters: null }, listOf({ prompt: '1', reasoning: '0' }))).toBe(true)
    expect(reasonsUnseen({ supportedParameters: null }, words)).toBe(false)
  })
})

describe('a price that says what a request costs', () => {
  it.each([
    ['words of a model that chats', { kind: 'chat' }, words, 'text', true],
    ['words of a model without a price', { kind: 'chat' }, nothing, 'text', false],
    ['words of a free entry', { id: 'acme/egret:free', kind: 'chat' }, nothing, 'text', true],
    ['a picture by the piece', { kind: 'image' }, pictures, 'image', true],
    ['a picture of a model that chats, in tokens', { kind: 'chat' }, words, 'image', true],
    ['a picture of a model that draws, in tokens of words', { kind: 'image' }, words, 'image', false],
    ['a film of a model that chats', { kind: 'chat' }, words, 'video', false],
    ['speech of Google, in tokens', { kind: 'speech', author: 'google' }, words, 'speech', true],
    ['speech of others, in tokens of words', { kind: 'speech' }, words, 'speech', false],
    ['a film of Google, in tokens of words', { kind: 'video', author: 'google' }, words, 'video', false],
    ['a picture of a model that chats, by the piece of words', { kind: 'chat' }, nothing, 'image', false],
  ] as const)('is there for %s: %5$s', (_what, change, list, purpose, isThere) => {
    expect(canCharge(modelOf(change), list, purpose)).toBe(isThere)
  })

  it.each([
    ['its own price', { price: words }, true],
    ['the price of a host', { offers: [offerAt(null), offerAt(words)] }, true],
    ['no price', { offers: [offerAt(null)] }, false],
    ['a price in other units', { price: pictures }, false],
    ['a price of text for a realtime model, which also speaks', { kind: 'realtime', price: words }, false],
  ] as const)('makes a model chargeable by %s: %3$s', (_what, change, isThere) => {
    expect(isChargeable(modelOf(change))).toBe(isThere)
  })

  it.each([
    ['chat', 'text'],
    ['image', 'image'],
    ['embedding', 'embedding'],
    ['speech', 'speech'],
    ['transcription', 'transcription'],
    ['video', 'video'],
    ['rerank', 'rerank'],
    ['moderation', 'moderation'],
    ['realtime', 'realtime'],
  ] as const)('is asked of a model of the kind %s for %s', (kind, purpose) => {
    expect(purposeOfKind(kind)).toBe(purpose)
  })
})

function offerAt(price: PriceList | null): Model['offers'][number] {
  const limits = { contextLength: null, maxCompletionTokens: null, quantization: null }
  return { provider: 'acme', variant: '', upstreamModel: 'heron', ...limits, price }
}
