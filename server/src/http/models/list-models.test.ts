import { expect, test } from 'vitest'
import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type AskedModels, createModelLister } from './list-models.ts'

const words: AskedModels = {
  modalities: ['text'],
  available: null,
  isAvailable: () => true,
  servedToAll: null,
  mayCall: null,
}
const all: AskedModels = { ...words, modalities: 'all' }
const nowMs = Date.parse('2026-11-15T12:00:00Z')

test('a listing is made once for a snapshot, a filter and a day', () => {
  const list = createModelLister()
  const first = counted(1)
  const text = list(first.catalogue, words, nowMs)
  expect(list(first.catalogue, words, nowMs + 60_000)).toEqual(text)
  expect(first.readings()).toBe(1)
  list(first.catalogue, all, nowMs)
  expect(first.readings()).toBe(2)
  list(first.catalogue, words, nowMs + 86_400_000)
  expect(first.readings()).toBe(3)
  const second = counted(2)
  list(second.catalogue, words, nowMs + 86_400_000)
  expect(second.readings()).toBe(1)
})

test('a model leaves the listing at the midnight of its retirement, from memory or not', () => {
  const list = createModelLister()
  const { catalogue } = counted(1, Date.parse('2026-11-16'))
  const lastMs = Date.parse('2026-11-15T23:59:59.999Z')
  expect(JSON.parse(list(catalogue, words, lastMs))).toMatchObject({ total_count: 1 })
  expect(JSON.parse(list(catalogue, words, lastMs + 1))).toMatchObject({ total_count: 0 })
})

test('[MODEL-16] a listing for a client who may have some models has those alone, and is not kept for others', () => {
  const list = createModelLister()
  const { catalogue, readings } = counted(1)
  const whole = list(catalogue, all, nowMs)
  expect(JSON.parse(list(catalogue, { ...all, mayCall: () => false }, nowMs))).toEqual({
    ...JSON.parse(whole),
    data: [],
    total_count: 0,
  })
  expect(list(catalogue, { ...all, mayCall: (id) => id === 'acme/one' }, nowMs)).toEqual(whole)
  expect(list(catalogue, all, nowMs)).toEqual(whole)
  expect(readings()).toBe(1)
})

test('[D1] a listing tells what can be called now, and can be of that alone', () => {
  const list = createModelLister()
  const { catalogue, readings } = counted(1)
  const read = (asked: Partial<AskedModels>) => JSON.parse(list(catalogue, { ...words, ...asked }, nowMs))
  const served = { isAvailable: () => true }
  const unserved = { isAvailable: () => false }
  expect(read(served)).toMatchObject({ total_count: 1, data: [{ id: 'acme/one', available: true }] })
  expect(read(unserved)).toMatchObject({ total_count: 1, data: [{ id: 'acme/one', available: false }] })
  for (const [availability, available, count] of [
    [served, true, 1],
    [served, false, 0],
    [unserved, true, 0],
    [unserved, false, 1],
  ] as const) {
    expect(read({ ...availability, available })).toMatchObject({ total_count: count })
  }
  expect(readings()).toBe(1)
})

test('the text is made once for all clients without terms of their own, until other models are served', () => {
  const list = createModelLister()
  const { catalogue } = counted(1)
  let judged = 0
  const isAvailable = (): boolean => (judged += 1) > 0
  const served = new Set(['acme/one'])
  const shared = { ...words, isAvailable, servedToAll: served }
  const text = list(catalogue, shared, nowMs)
  expect(list(catalogue, shared, nowMs)).toBe(text)
  expect(judged).toBe(1)
  for (const other of [
    { ...shared, servedToAll: new Set(served) },
    { ...shared, servedToAll: null },
    { ...shared, available: true },
    { ...shared, mayCall: () => true },
  ]) {
    const before = judged
    expect(list(catalogue, other, nowMs)).toBe(text)
    expect(judged).toBe(before + 1)
  }
})

/** A catalogue of one model that counts its iterations. */
function counted(revision: number, retiresAtMs: number | null = null): { catalogue: Catalogue; readings(): number } {
  let readings = 0
  class CountedMap extends Map<string, Model> {
    override values(): MapIterator<Model> {
      readings += 1
      return super.values()
    }
  }
  const model: Model = {
    id: 'acme/one',
    name: 'One',
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
    retiresAtMs,
    listed: true,
    details: {},
    price: null,
    offers: [],
  }
  const catalogue = { ...buildCatalogue(revision, [model]), models: new CountedMap([[model.id, model]]) }
  return { catalogue, readings: () => readings }
}
