import { expect, test } from 'vitest'
import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { createModelLister } from './list-models.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')

test('a listing is made once for a snapshot, a filter and a day', () => {
  const list = createModelLister()
  const first = counted(1)
  const text = list(first.catalogue, ['text'], nowMs)
  expect(list(first.catalogue, ['text'], nowMs + 60_000)).toBe(text)
  expect(first.readings()).toBe(1)
  list(first.catalogue, 'all', nowMs)
  expect(first.readings()).toBe(2)
  list(first.catalogue, ['text'], nowMs + 86_400_000)
  expect(first.readings()).toBe(3)
  const second = counted(2)
  list(second.catalogue, ['text'], nowMs + 86_400_000)
  expect(second.readings()).toBe(1)
})

test('a model leaves the listing at the midnight of its retirement, from memory or not', () => {
  const list = createModelLister()
  const { catalogue } = counted(1, Date.parse('2026-11-16'))
  const lastMs = Date.parse('2026-11-15T23:59:59.999Z')
  expect(JSON.parse(list(catalogue, ['text'], lastMs))).toMatchObject({ total_count: 1 })
  expect(JSON.parse(list(catalogue, ['text'], lastMs + 1))).toMatchObject({ total_count: 0 })
})

test('[MODEL-16] a listing for a caller who may have some models has those alone, and is not kept for others', () => {
  const list = createModelLister()
  const { catalogue, readings } = counted(1)
  const whole = list(catalogue, 'all', nowMs)
  expect(JSON.parse(list(catalogue, 'all', nowMs, () => false))).toEqual({
    ...JSON.parse(whole),
    data: [],
    total_count: 0,
  })
  expect(list(catalogue, 'all', nowMs, (id) => id === 'acme/one')).toBe(whole)
  expect(list(catalogue, 'all', nowMs)).toBe(whole)
  expect(readings()).toBe(1)
})

/** A catalogue of one model that counts how often it is walked. */
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
