import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { assert } from '#lib/assert.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { defaultEditModels } from './default-edit-models.ts'

function model(id: string, change: Partial<Model> = {}): Model {
  const [template] = wantedModel.models
  assert(template !== undefined, 'there is a model')
  return { ...template, id, kind: 'image', inputModalities: ['text', 'image'], ...change }
}

function idsOf(models: readonly Model[], testModels = true): string[] {
  return defaultEditModels(buildCatalogue(1, models), { nowMs: 2_000, testModels }).map(({ id }) => id)
}

describe('D9: a client that names no model for an edit gets', () => {
  it('the first five models that edit images, by id', () => {
    const ids = ['f/6', 'a/1', 'c/3', 'b/2', 'd/4', 'e/5']
    expect(idsOf(ids.map((id) => model(id)))).toEqual(['a/1', 'b/2', 'c/3', 'd/4', 'e/5'])
  })

  it.each<[string, Partial<Model>]>([
    ['one that chats', { kind: 'chat' }],
    ['one that takes no image', { inputModalities: ['text'] }],
    ['one without a price', { price: null }],
    ['one that is not listed', { listed: false }],
    ['one that is retired', { retiresAtMs: 1_000 }],
  ])('never %s', (_name, change) => {
    expect(idsOf([model('a/1', change), model('b/2')])).toEqual(['b/2'])
    expect(idsOf([model('a/1', change)])).toEqual(['test/image'])
    expect(idsOf([model('a/1', change)], false)).toEqual([])
  })
})
