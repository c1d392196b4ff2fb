import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { imageEditsDialect, imagesDialect } from '#dialects/images/images-dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { buildCatalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import { buildAutoTables, emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import type { Arrival } from '../types.ts'
import { createParse, type ParseDeps, withWebPlugin } from './parse.ts'

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
  modelOf('openai/gpt', { author: 'openai' }),
  modelOf('acme/words', { kind: 'embedding', outputModalities: ['embeddings'] }),
  modelOf('acme/edit', { kind: 'image', inputModalities: ['image'], outputModalities: ['image'] }),
])

/** A stage over the catalogue above that parses a body. */
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
  const parse = (body: JsonObject, change: Partial<Arrival> = {}) =>
    createParse(deps)({ ...arrival, receivedAtMs: nowMs, body: { messages, ...body }, ...change })
  const refusal = (body: JsonObject, change: Partial<Arrival> = {}) => {
    try {
      parse(body, change)
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
    ['not a/ model', 'invalidModelId', '"not a/ model" is not a valid model id. Use <provider>/<model>.'],
    ['zzz/qqqqqqqqqqqq', 'unknownModel', 'Model "zzz/qqqqqqqqqqqq" not found. GET /v1/models lists all models.'],
    ['acme/old', 'modelRetired', 'Model "acme/old" has been retired. GET /v1/models lists current models.'],
  ])('is refused where there is none: %s', (model, errorName, message) => {
    expect(parserOf().refusal({ model })).toMatchObject({ errorName, message })
  })

  it('is refused with what may be meant', () => {
    expect(parserOf().refusal({ model: 'acme/smalll' }).message).toBe(
      'Model "acme/smalll" not found. Did you mean "acme/small"? GET /v1/models lists all models.',
    )
  })

  it('is not said to be unknown before the catalogue was loaded', () => {
    expect(parserOf({ catalogue: () => emptyCatalogue }).refusal({ model: 'acme/one' })).toMatchObject({
      errorName: 'notReady',
      message: "The gateway can't serve this request yet because its catalogue is not loaded. Retry shortly.",
      inside: 'the catalogue failed to load; see the log and /ready',
      retryAfterS: 5,
    })
  })

  it('is unknown to a catalogue that was loaded and is empty', () => {
    expect(parserOf({ catalogue: () => buildCatalogue(0, []) }).refusal({ model: 'acme/one' })).toMatchObject({
      errorName: 'unknownModel',
    })
  })

  it('is a test model only where the operator allows them', () => {
    const { models } = parserOf({ testModels: true }).parse({ model: 'test/echo' }).wanted
    expect(models.map(({ id }) => id)).toEqual(['test/echo'])
    expect(parserOf().refusal({ model: 'test/echo' })).toMatchObject({
      errorName: 'unknownModel',
      message: 'Model "test/echo" not found. GET /v1/models lists all models.',
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

const idsOf = (body: JsonObject) =>
  parserOf()
    .parse(body)
    .wanted.models.map(({ id }) => id)

describe('a name without its provider', () => {
  it('stands for the one model that has it, on chat completions alone', () => {
    expect(idsOf({ model: 'one' })).toEqual(['acme/one'])
    const error = parserOf().refusal({ model: 'one', max_tokens: 10 }, { dialect: messagesDialect })
    expect(error.errorName).toBe('unknownModel')
  })
})

describe('a model that can not take the call', () => {
  it('is refused with what is wrong', () => {
    expect(parserOf().refusal({ model: 'acme/words' })).toMatchObject({
      errorName: 'embeddingOnChatEndpoint',
      message: '"acme/words" is an embedding model. Use POST /v1/embeddings.',
    })
  })

  it('is checked for the fields of its family alone', () => {
    expect(parserOf().refusal({ model: 'openai/gpt', top_logprobs: 21 }).errorName).toBe('malformedRequest')
    expect(parserOf().parse({ model: 'acme/one', top_logprobs: 21 }).wanted.models).toHaveLength(1)
  })

  it('may be asked in a dialect without such fields', () => {
    const { wanted } = parserOf().parse({ model: 'openai/gpt', max_tokens: 10 }, { dialect: messagesDialect })
    expect(wanted.models.map(({ id }) => id)).toEqual(['openai/gpt'])
  })

  it('is told from a fault of our own, which no fallback hides', () => {
    const dialect = {
      ...chatDialect,
      refuseUnfit: (_call: unknown, { id }: { id: string }) => {
        if (id === 'acme/one') throw new TypeError('a bug')
      },
    }
    expect(() => parserOf().parse({ model: 'acme/one', models: ['acme/two'] }, { dialect })).toThrow(TypeError)
  })
})

describe('a conversation that is too long for its model', () => {
  it('says what is left out for that model, and for no other', () => {
    const messages = Array.from({ length: 30 }, () => ({ role: 'user', content: 'word '.repeat(10) }))
    const { call } = parserOf().parse({ model: 'acme/small', models: ['acme/one'], messages })
    expect(call.trims?.get('acme/small')?.keeps).toContain(false)
    expect([...(call.trims?.keys() ?? [])]).toEqual(['acme/small'])
  })
})

describe('the model of an edited image', () => {
  const bytes = Buffer.from('image')
  const file = { field: 'image', name: 'cat.png', mediaType: 'image/png', byteCount: bytes.length, head: bytes }
  const image: FormFile = { ...file, content: { kind: 'memory', bytes } }
  const edit = { dialect: imageEditsDialect, files: [image] }

  it("is the operator's where the client names none", () => {
    const { wanted, call } = parserOf().parse({ prompt: 'A hat', messages: undefined }, edit)
    expect(wanted.models.map(({ id }) => id)).toEqual(['acme/edit'])
    expect(call).toMatchObject({ modelName: '', body: { prompt: 'A hat' } })
  })

  it('is what the client names', () => {
    expect(parserOf().refusal({ model: 'acme/one', prompt: 'A hat' }, edit)).toMatchObject({
      errorName: 'modelEndpointMismatch',
    })
  })

  it('is not given to an order of new images without one', () => {
    expect(parserOf().refusal({ model: '', prompt: 'A hat' }, { dialect: imagesDialect }).errorName).toBe(
      'invalidModelId',
    )
  })
})

describe('a call that leaves the choice of its model to us', () => {
  const autoTables = buildAutoTables(1, [
    { table: 'paid', tier: 'image', enabled: true, models: ['acme/two', 'acme/old', 'acme/edit'] },
  ])
  const picture = { modalities: ['image', 'text'] }

  it('gets the models of its tier, and then those that it names', () => {
    const { wanted } = parserOf({ autoTables: () => autoTables }).parse({
      ...picture,
      model: 'auto:floor:online',
      models: ['acme/edit', 'acme/one'],
    })
    expect(wanted.models.map(({ id }) => id)).toEqual(['acme/edit'])
    expect(wanted.excluded).toEqual([
      { model: 'acme/old', provider: null, rule: 'retired' },
      { model: 'acme/two', provider: null, rule: 'unfit' },
      { model: 'acme/one', provider: null, rule: 'unfit' },
    ])
    expect(wanted).toMatchObject({ sort: 'price', online: true, autoTier: 'image' })
  })

  it('is a conversation: other endpoints know no such model', () => {
    const error = parserOf({ autoTables: () => autoTables }).refusal(
      { model: 'auto', prompt: 'A hat' },
      { dialect: imagesDialect },
    )
    expect(error.errorName).toBe('unknownModel')
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

  it('are the texts of the list', () => {
    const { wanted } = parserOf().parse(
      { model: 'acme/one', max_tokens: 10, models: [7, 'acme/two'] },
      { dialect: messagesDialect },
    )
    expect(wanted.models.map(({ id }) => id)).toEqual(['acme/one', 'acme/two'])
  })

  it('are twenty at the most', () => {
    const models = Array.from({ length: 20 }, () => 'acme/two')
    expect(parserOf().parse({ model: 'acme/one', models }).wanted.models).toHaveLength(2)
    expect(parserOf().refusal({ model: 'acme/one', models: [...models, 'acme/two'] })).toMatchObject({
      errorName: 'malformedRequest',
      message: '`models` can list at most 20 models.',
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
    expect(error.message).toMatch(/^The prompt has about \d+ tokens, but the context length of "acme\/small" is 100\.$/)
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
