import { expect, test } from 'vitest'
import { isModelId } from '#domain/catalogue/model-id.ts'
import { isPriced } from '#domain/money/price-list.ts'
import { scriptFor } from './script-for.ts'
import { listedTestModels, testModel } from './test-models.ts'

test('every listed test model is known by its id, and costs nothing', () => {
  const listed = listedTestModels()
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  for (const model of listed) {
    expect(isModelId(model.id)).toBe(true)
    expect(testModel(model.id)).toEqual(model)
    expect(model).toMatchObject({ kind: 'chat', author: 'test', contextLength: 128_000 })
    expect(model.offers).toHaveLength(1)
    for (const price of [model.price, model.offers[0]?.price ?? null]) {
      expect(price !== null && isPriced(price)).toBe(true)
      expect(Object.values(price?.base ?? {})).toEqual([0n, 0n])
    }
  }
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
