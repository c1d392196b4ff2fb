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
  // One alias in two spellings.
  model('openai/gpt-9', { aliases: ['openai/GPT-latest', 'openai/gpt-latest'] }),
  model('anthropic/claude-tide-4.5'),
  model('acme/river-2', { aliases: ['acme/river-latest'] }),
  model('acme/river-2:free'),
  model('acme/pond-1.5'),
  model('other/pond-1.5'),
  // These two ids differ only in spelling.
  model('acme/creek-3-7'),
  model('other/creek-3.7'),
  model('acme/old-1', { retiresAtMs: 1_000 }),
  model('other/lake-1', { aliases: ['acme/shared'] }),
  model('acme/delta-3-7', { aliases: ['acme/shared'] }),
])

function found(name: string, { bare = true, nowMs = 2_000 } = {}): string {
  const resolution = resolveModel(name, catalogue, { nowMs, completesBareNames: bare, testModels: true })
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
    // D5: variants of a test model, and its bare name.
    ['test/priced:free', 'test/priced'],
    ['test/priced:extended', 'test/priced'],
    ['test/slow-250:thinking', 'test/slow-250'],
    ['priced', 'test/priced'],
    ['priced:exacto', 'test/priced'],
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

  it.each([
    ['other/river-latest', 'unknown'],
    ['river-latest', 'unknown'],
    ['ACME/RIVER-LATEST', 'acme/river-2'],
    ['acme/river-latest:extended', 'acme/river-2'],
    ['acme/river-2:exacto', 'acme/river-2'],
    ['acme/river-2:free:thinking', 'acme/river-2:free'],
    ['acme/river-2:thinking:free', 'unknown'],
    ['acme/river-2:other', 'unknown'],
    ['river-2', 'acme/river-2'],
    ['river-2:free', 'acme/river-2:free'],
    ['claude-tide-4.5', 'anthropic/claude-tide-4.5'],
    ['tide-4.5', 'unknown'],
    ['old-tide-4.5', 'unknown'],
    ['my-gpt-9', 'unknown'],
    ['delta-3-7', 'acme/delta-3-7'],
    ['delta-3.7', 'acme/delta-3-7'],
    ['acme/delta-3.7', 'acme/delta-3-7'],
    ['acme/delta.3.7', 'unknown'],
    ['gpt-latest', 'openai/gpt-9'],
    ['creek-3-7', 'acme/creek-3-7'],
    ['creek-3.7', 'other/creek-3.7'],
    ['acme/shared', 'unknown'],
    ['test/unheard-of', 'unknown'],
    ['latest/test/echo', 'unknown'],
    ['acme/river/2', 'unknown'],
  ])('%s means %s', (name, expected) => {
    expect(found(name)).toBe(expected)
  })

  it('that several models share is none of theirs', () => {
    expect(found('pond-1.5')).toBe('unknown')
    expect(found('pond-1-5')).toBe('unknown')
  })

  it('without its provider is completed only where the client speaks chat', () => {
    expect(found('lake-1', { bare: false })).toBe('unknown')
    expect(found('gpt-9', { bare: false })).toBe('openai/gpt-9')
    expect(found('gpt-latest', { bare: false })).toBe('openai/gpt-9')
    expect(found('claude-tide-4.5', { bare: false })).toBe('anthropic/claude-tide-4.5')
    expect(found('delta-3.7', { bare: false })).toBe('unknown')
    expect(found('acme/delta-3.7', { bare: false })).toBe('acme/delta-3-7')
  })

  it('of a model that has been retired is known as such', () => {
    expect(found('acme/old-1')).toBe('retired')
    expect(found('acme/old-1', { nowMs: 999 })).toBe('acme/old-1')
    expect(
      resolveModel('OLD-1:nitro', catalogue, { nowMs: 2_000, completesBareNames: true, testModels: true }),
    ).toEqual({
      found: false,
      why: 'retired',
      id: 'acme/old-1',
    })
  })

  it('that is mistyped brings the ids that are most alike', () => {
    const resolution = resolveModel('acme/rivr-2', catalogue, { nowMs: 0, completesBareNames: true, testModels: true })
    expect(resolution).toMatchObject({ found: false, why: 'unknown', nearest: ['acme/river-2'] })
  })

  it.each([
    ['a test model where there are any', 'test/ehco', { testModels: true }, ['test/echo']],
    ['no test model where there are none', 'test/ehco', { testModels: false }, []],
    ['a model until it retires', 'acme/odl-1', { nowMs: 999 }, ['acme/old-1']],
    ['nothing that has been retired', 'acme/odl-1', { nowMs: 1_000 }, []],
  ])('[D9] that is mistyped brings %s', (_, name, options, nearest) => {
    const whole = { nowMs: 0, completesBareNames: true, testModels: true, ...options }
    expect(resolveModel(name, catalogue, whole)).toEqual({ found: false, why: 'unknown', nearest })
  })

  it('of a test model is unknown where there are none', () => {
    const options = { nowMs: 0, completesBareNames: true, testModels: false }
    expect(resolveModel('test/echo', catalogue, options)).toEqual({ found: false, why: 'unknown', nearest: [] })
  })
})

it('[ROUTE-10] [ROUTE-11] [ROUTE-12] shortcuts are kept beside the model', () => {
  const options = { nowMs: 0, completesBareNames: false, testModels: true }
  expect(resolveModel('acme/river-2:floor', catalogue, options)).toMatchObject({ sort: 'price', online: false })
  expect(resolveModel('acme/river-2:nitro', catalogue, options)).toMatchObject({ sort: 'throughput', online: false })
  expect(resolveModel('acme/river-2:online', catalogue, options)).toMatchObject({ sort: null, online: true })
})
