import { describe, expect, it } from 'vitest'
import { buildCatalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createParse, type ParseDeps } from './parse.ts'
import { withWebPlugin } from './with-web-plugin.ts'

const nowMs = Date.UTC(2026, 4, 4)

function modelOf(id: string, change: Partial<Model> = {}): Model {
  const [model] = wantedModel.models
  assert(model !== undefined, 'there is a model')
  return { ...model, id, author: id.slice(0, id.indexOf('/')), ...change }
}

const catalogue = buildCatalogue(1, [
  modelOf('acme/one'),
  modelOf('acme/two'),
  modelOf('acme/old', { retiresAtMs: nowMs - 1 }),
  modelOf('acme/small', { contextLength: 100 }),
  modelOf('acme/tiny', { contextLength: 50 }),
])

/** A stage over the catalogue above, and what it makes of a body. */
function parserOf(special: Partial<ParseDeps> = {}) {
  const deps: ParseDeps = {
    catalogue: () => catalogue,
    autoTables: () => emptyAutoTables,
    testModels: false,
    editModel: 'acme/edit',
    ...special,
  }
  const { arrival } = testTicket()
  const messages = [{ role: 'user', content: 'Hello' }]
  const parse = (body: JsonObject) =>
    createParse(deps)({ ...arrival, receivedAtMs: nowMs, body: { messages, ...body } })
  const refusal = (body: JsonObject) => {
    try {
      parse(body)
    } catch (error) {
      return asGatewayError(error)
    }
    return expect.fail('the body was taken')
  }
  return { parse, refusal }
}

const long = 'word '.repeat(400)

describe('the model that a call names', () => {
  it('is found in the catalogue, and nothing else is said of it', () => {
    const { wanted, call } = parserOf().parse({ model: 'acme/one' })
    expect(wanted).toEqual({
      models: [modelOf('acme/one')],
      excluded: [],
      sort: null,
      online: false,
      autoTier: null,
    })
    expect(call).not.toHaveProperty('trims')
    expect(call.body).not.toHaveProperty('plugins')
  })

  it.each([
    ['not a/ model', 'invalidModelId', '"not a/ model" is not a model id; use <provider>/<model>.'],
    ['zzz/qqqqqqqqqqqq', 'unknownModel', 'There is no model "zzz/qqqqqqqqqqqq". GET /v1/models lists all.'],
    ['acme/old', 'modelRetired', 'The model "acme/old" has been retired. GET /v1/models lists its successors.'],
  ])('is refused where there is none: %s', (model, errorName, message) => {
    expect(parserOf().refusal({ model })).toMatchObject({ errorName, message })
  })

  it('is refused with what may be meant', () => {
    expect(parserOf().refusal({ model: 'acme/smalll' }).message).toBe(
      'There is no model "acme/smalll". Did you mean "acme/small"? GET /v1/models lists all.',
    )
  })

  it('is not said to be unknown before the catalogue was loaded', () => {
    expect(parserOf({ catalogue: () => emptyCatalogue }).refusal({ model: 'acme/one' })).toMatchObject({
      errorName: 'notReady',
      message: 'This gateway has not loaded its catalogue and cannot serve the request. Please try again shortly.',
      inside: 'the catalogue was never loaded; the log and /ready say why',
      retryAfterS: 5,
    })
  })

  it('is a test model only where the operator allows them', () => {
    const { models } = parserOf({ testModels: true }).parse({ model: 'test/echo' }).wanted
    expect(models.map(({ id }) => id)).toEqual(['test/echo'])
    expect(parserOf().refusal({ model: 'test/echo' })).toMatchObject({
      errorName: 'unknownModel',
      message: 'There is no model "test/echo". GET /v1/models lists all.',
    })
  })

  it('may ask for the web behind its name', () => {
    const { wanted, call } = parserOf().parse({ model: 'acme/one:online' })
    expect(wanted).toMatchObject({ online: true, sort: null })
    expect(call.body.plugins).toEqual([{ id: 'web' }])
  })

  it.each([
    [':floor', 'price'],
    [':nitro', 'throughput'],
  ])('may say how to choose among hosts: %s', (suffix, sort) => {
    expect(parserOf().parse({ model: `acme/one${suffix}` }).wanted).toMatchObject({ sort, online: false })
  })
})

describe('fallbacks', () => {
  it('follow the first model, each once; what is retired is left out', () => {
    const { wanted } = parserOf().parse({ model: 'acme/one', models: ['acme/two', 'acme/old', 'acme/one'] })
    expect(wanted.models.map(({ id }) => id)).toEqual(['acme/one', 'acme/two'])
    expect(wanted.excluded).toEqual([{ model: 'acme/old', provider: null, rule: 'retired' }])
  })

  it('must be known', () => {
    expect(parserOf().refusal({ model: 'acme/one', models: ['zzz/qqqqqqqqqqqq'] })).toMatchObject({
      errorName: 'unknownModel',
    })
  })

  it('are twenty at the most', () => {
    const models = Array.from({ length: 20 }, () => 'acme/two')
    expect(parserOf().parse({ model: 'acme/one', models }).wanted.models).toHaveLength(2)
    expect(parserOf().refusal({ model: 'acme/one', models: [...models, 'acme/two'] })).toMatchObject({
      errorName: 'malformedRequest',
      message: '`models` may list at most 20 models.',
    })
  })

  it('serve where the first model can not take the call', () => {
    const messages = [{ role: 'user', content: long }]
    const { wanted } = parserOf().parse({
      model: 'acme/small',
      models: ['acme/one'],
      messages,
      transforms: [],
    })
    expect(wanted.models.map(({ id }) => id)).toEqual(['acme/one'])
    expect(wanted.excluded).toEqual([{ model: 'acme/small', provider: null, rule: 'unfit' }])
  })

  it('are refused with what is wrong with the first, where none can take it', () => {
    const messages = [{ role: 'user', content: long }]
    const error = parserOf().refusal({ model: 'acme/small', models: ['acme/tiny'], messages, transforms: [] })
    expect(error.errorName).toBe('contextTooLong')
    expect(error.message).toMatch(/^The prompt is about \d+ tokens; "acme\/small" takes 100\.$/)
  })
})

const callWith = (plugins: JsonObject[] | undefined) => ({
  ...testTicket().plan.call,
  body: plugins === undefined ? { a: 1 } : { a: 1, plugins },
})

describe('the web plugin', () => {
  it.each([
    ['nothing', undefined, [{ id: 'web' }]],
    ['another plugin', [{ id: 'file' }], [{ id: 'file' }, { id: 'web' }]],
  ])('is switched on beside %s', (_name, plugins, expected) => {
    const call = callWith(plugins)
    expect(withWebPlugin(call)).toEqual({ ...call, body: { a: 1, plugins: expected } })
  })

  it('stays as the client has set it', () => {
    const call = callWith([{ id: 'file' }, { id: 'web', max_results: 2 }])
    expect(withWebPlugin(call)).toBe(call)
  })
})
