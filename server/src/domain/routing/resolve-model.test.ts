import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { resolveModel } from './resolve-model.ts'

const template = wantedModel.models[0] ?? never()
function never(): never {
  throw new Error('there is a model')
}
const model = (id: string, change: Partial<Model> = {}): Model => ({ ...template, id, ...change })

const catalogue = buildCatalogue(1, [
  model('openai/gpt-9'),
  model('anthropic/claude-tide-4.5'),
  model('acme/river-2', { aliases: ['acme/river-latest'] }),
  model('acme/river-2:free'),
  model('acme/pond-1.5'),
  model('other/pond-1.5'),
  model('acme/old-1', { retiresAtMs: 1_000 }),
  model('other/lake-1'),
])

function found(name: string, { bare = true, nowMs = 2_000 } = {}): string {
  const resolution = resolveModel(name, catalogue, { nowMs, completesBareNames: bare })
  return resolution.found ? resolution.model.id : resolution.why
}

describe('a name', () => {
  it.each([
    ['acme/river-2', 'acme/river-2'],
    ['ACME/River-2', 'acme/river-2'],
    ['acme/river-latest', 'acme/river-2'],
    ['acme/river-2:free', 'acme/river-2:free'],
    ['acme/river-2:thinking', 'acme/river-2'],
    ['other/lake-1:free', 'other/lake-1'],
    ['acme/river-2:free:online', 'acme/river-2:free'],
    ['gpt-9', 'openai/gpt-9'],
    ['claude-tide-4-5', 'anthropic/claude-tide-4.5'],
    ['acme/pond-1-5', 'acme/pond-1.5'],
    ['lake-1', 'other/lake-1'],
    ['test/echo', 'test/echo'],
  ])('[ROUTE-13] %s means %s', (name, id) => {
    expect(found(name)).toBe(id)
  })

  it.each(['', ' ', 'acme/', '/river', 'acme//river', 'acme/river 2', 'acme/river-2\n', 'acme/r\u00efver'])(
    'that is not well formed is told apart from one that is not known: %j',
    (name) => {
      expect(found(name)).toBe('malformed')
      expect(found('acme/unheard-of')).toBe('unknown')
    },
  )

  it('that several models share is none of theirs', () => {
    expect(found('pond-1.5')).toBe('unknown')
    expect(found('pond-1-5')).toBe('unknown')
  })

  it('without its provider is completed only where the caller speaks chat', () => {
    expect(found('lake-1', { bare: false })).toBe('unknown')
    expect(found('gpt-9', { bare: false })).toBe('openai/gpt-9')
  })

  it('of a model that has been retired is known as such', () => {
    expect(found('acme/old-1')).toBe('retired')
    expect(found('acme/old-1', { nowMs: 999 })).toBe('acme/old-1')
  })

  it('that is mistyped brings the ids that are most alike', () => {
    const resolution = resolveModel('acme/rivr-2', catalogue, { nowMs: 0, completesBareNames: true })
    expect(resolution).toMatchObject({ found: false, why: 'unknown', nearest: ['acme/river-2'] })
  })
})

it('[ROUTE-10] [ROUTE-11] [ROUTE-12] shortcuts are kept beside the model', () => {
  const options = { nowMs: 0, completesBareNames: false }
  expect(resolveModel('acme/river-2:floor', catalogue, options)).toMatchObject({ sort: 'price', online: false })
  expect(resolveModel('acme/river-2:nitro', catalogue, options)).toMatchObject({ sort: 'throughput', online: false })
  expect(resolveModel('acme/river-2:online', catalogue, options)).toMatchObject({ sort: null, online: true })
})
