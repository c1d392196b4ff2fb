import { expect, test } from 'vitest'
import { isModelId } from '#domain/catalogue/model-id.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { isPriced, type PricedKind } from '#domain/money/price-list.ts'
import { scriptFor } from './script-for.ts'
import { listedTestModels, testModel } from './test-models.ts'

test('every listed test model is known by its id, and all but one cost nothing', () => {
  const listed = listedTestModels()
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  for (const model of listed) {
    expect(isModelId(model.id)).toBe(true)
    expect(testModel(model.id)).toEqual(model)
    expect(model.author).toBe('test')
    expect(model.offers).toHaveLength(1)
    for (const price of [model.price, model.offers[0]?.price ?? null]) {
      expect(price !== null && isPriced(price, model.kind === 'chat' ? 'text' : kindOf(model))).toBe(true)
      const costs = Object.values(price?.base ?? {}).some((unit) => unit > 0n)
      expect(costs).toBe(model.id === 'test/priced')
    }
  }
})

function kindOf({ kind }: Model): PricedKind {
  if (kind === 'chat' || kind === 'realtime') throw new Error(`no test model makes ${kind}`)
  return kind
}

test('there is a test model of every kind that has an endpoint', () => {
  const kinds = new Set(listedTestModels().map(({ kind }) => kind))
  expect(kinds).toEqual(
    new Set(['chat', 'image', 'video', 'embedding', 'rerank', 'moderation', 'speech', 'transcription']),
  )
})

test('figures need not be listed', () => {
  expect(testModel('test/error-418')?.description).toBe('Answers with status 418.')
  expect(testModel('test/slow-60000')).toBeDefined()
  expect(testModel('test/drip-0')).toBeDefined()
})

test.each([
  'test/nothing',
  'test/slow-60001',
  'test/slow-007',
  'test/slow',
  'test/error-200',
  'test/error-600',
  'test/echo-5',
  'test/constructor',
  'echo',
  'other/echo',
])('%s is no test model', (id) => {
  expect(testModel(id)).toBeUndefined()
  expect(scriptFor(id, {}).status).toBe(404)
})
