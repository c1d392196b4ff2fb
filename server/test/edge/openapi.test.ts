import { Value } from 'typebox/value'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { DocumentedAnswers } from './documented-answers.ts'
import { listRoutes } from './list-routes.ts'

describe('the OpenAPI document', () => {
  let world: ChatWorld
  let document: JsonObject
  beforeAll(async () => {
    world = await startChatWorld()
    document = (await world.gateway.as().get('/openapi.json')).json
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const operations = () =>
    Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
      isJsonObject(item)
        ? Object.entries(item).map(([method, operation]) => ({
            method: method.toUpperCase(),
            path,
            operation: isJsonObject(operation) ? operation : {},
          }))
        : [],
    )

  it('has the shape of version 3.1', () => {
    expect(Value.Errors(documentSchema, document)).toEqual([])
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations()) {
      const parameters = Array.isArray(operation.parameters) ? operation.parameters.filter(isJsonObject) : []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(inPath.every((parameter) => parameter.required === true)).toBe(true)
    }
  })

  it('resolves every reference inside itself', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(references.length).toBeGreaterThan(0)
    for (const path of new Set(references)) {
      const target = path.split('/').reduce((at, key) => objectAt(at, key), document)
      expect(Object.keys(target), path).not.toEqual([])
    }
  })

  it('lists exactly the routes under /v1, and those of the website', () => {
    // The router merges parameters at one position, whatever their names.
    const documented = operations().map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    const mounted = listRoutes(world.gateway.gateway.server)
      // A browser passes the pages of an organization's single sign-on, and no client calls them.
      .filter(({ path }) => /^\/v[12]\/|^\/api\/(?!v1\/|auth\/|sign-on\/:)/.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+(?:\|:\w+)*/g, '{}')}`)
    expect(documented.sort()).toEqual(mounted.sort())
  })

  it('says which parameters are required', () => {
    const generation = operations().find(({ path }) => path === '/v1/generation')
    expect(generation?.operation.parameters).toMatchObject([
      { name: 'organization', in: 'query', required: false },
      { name: 'id', in: 'query', required: true },
    ])
    const models = operations().find(({ path }) => path === '/v1/models')
    expect(models?.operation.parameters).toMatchObject([
      { name: 'output_modalities', required: false },
      { name: 'available', required: false },
    ])
  })

  it('asks for a key exactly where one is needed', async () => {
    for (const { method, path, operation } of operations()) {
      if (!Array.isArray(operation.security)) throw new Error(`${path} does not say who may call it`)
      const url = path.replaceAll(/\{\w+\}/g, 'x')
      const { status } = await world.gateway.as().send(method, url)
      expect(status === 401, `${method} ${path}`).toBe(operation.security.length > 0)
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  function expectFits(method: string, path: string, answer: Reply): void {
    new DocumentedAnswers(document).expectDeclared(method, path, answer)
  }

  it('describes the answers that are really given to reads', async () => {
    const caller = await world.caller()
    const { json } = await world.chat({}, { as: caller })
    for (const [path, url, statuses] of [
      ['/v1/models', '/v1/models?output_modalities=all', [200, 200]],
      ['/v1/models/{slug}', '/v1/models/openai-gpt-5.2', [200, 200]],
      ['/v1/models/{slug}', '/v1/models/nothing', [404, 404]],
      ['/v1/models/{slug}', '/v1/models/openai-gpt-4-32k', [410, 410]],
      ['/v1/models/{author}/{slug}', '/v1/models/openai/gpt-5.2', [200, 200]],
      ['/v1/models/{author}/{slug}/endpoints', '/v1/models/openai/gpt-5.2/endpoints', [200, 200]],
      ['/v1/key', '/v1/key', [401, 200]],
      ['/v1/auth/key', '/v1/auth/key', [401, 200]],
      ['/v1/credits', '/v1/credits', [401, 200]],
      ['/v1/generation', `/v1/generation?id=${String(json.id)}`, [401, 200]],
      ['/v1/generation', '/v1/generation?id=nothing', [401, 404]],
      ['/v1/generation', '/v1/generation', [401, 400]],
    ] as const) {
      for (const [position, headers] of [{}, { authorization: `Bearer ${caller.key}` }].entries()) {
        const response = await world.gateway.as().get(url, { headers })
        expect(response.status, url).toBe(statuses[position])
        expectFits('GET', path, response)
      }
    }
  })

  it('describes the answers that are really given to chats', async () => {
    world.openai.playNext(
      vendorCompletion('openai', { kind: 'text', pieces: ['Hello'] }),
      vendorCompletion('openai', { kind: 'tools', calls: [{ id: 'c', name: 'look', arguments: ['{}'] }] }),
      vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage: null }),
    )
    const poor = await world.caller({ usd: '0' })
    const answers = [
      [200, await world.chat({})],
      [200, await world.chat({})],
      [200, await world.chat({})],
      [200, await world.chat({ n: 2 })],
      [400, await world.chat({ messages: [] })],
      [401, await world.chat({}, { headers: { authorization: '' } })],
      [402, await world.chat({}, { as: poor })],
      [403, await world.chat({}, { as: await world.caller({ terms: { type: 'management' } }) })],
      [410, await world.chat({ model: 'openai/gpt-4-32k' })],
      [415, await world.chat({}, { headers: { 'content-type': 'text/plain' } })],
      [503, await world.chat({ model: 'z-ai/glm-4.7' })],
    ] as const
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status)
      expectFits('POST', '/v1/chat/completions', answer)
      expectFits('POST', '/v1/cursor/chat/completions', answer)
    }
  })
})

const content = Type.Record(Type.String(), Type.Object({ schema: Type.Object({}) }))

const parameter = Type.Object({
  name: Type.String({ minLength: 1 }),
  in: Type.Enum(['path', 'query', 'header', 'cookie']),
  required: Type.Optional(Type.Boolean()),
  schema: Type.Object({}),
})

const operation = Type.Object({
  operationId: Type.String({ pattern: '^\\w+$' }),
  summary: Type.String(),
  tags: Type.Array(Type.String(), { minItems: 1 }),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  parameters: Type.Optional(Type.Array(parameter)),
  requestBody: Type.Optional(Type.Object({ content })),
  responses: Type.Record(
    Type.String({ pattern: '^[1-5]\\d\\d$' }),
    Type.Union([
      Type.Object({ description: Type.String(), content: Type.Optional(content) }),
      Type.Object({ $ref: Type.String({ pattern: '^#/components/responses/' }) }, { additionalProperties: false }),
    ]),
    { minProperties: 1 },
  ),
})

/** The part of the specification's own schema that this document uses. */
const documentSchema = Type.Object(
  {
    openapi: Type.String({ pattern: '^3\\.1\\.\\d+$' }),
    info: Type.Object({ title: Type.String(), version: Type.String() }),
    servers: Type.Array(Type.Object({ url: Type.String() })),
    tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
    paths: Type.Record(
      Type.String({ pattern: '^/' }),
      Type.Object(
        {
          get: Type.Optional(operation),
          head: Type.Optional(operation),
          post: Type.Optional(operation),
          put: Type.Optional(operation),
          patch: Type.Optional(operation),
          delete: Type.Optional(operation),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
    ),
    components: Type.Object({
      securitySchemes: Type.Object({
        key: Type.Object({ type: Type.Literal('http'), scheme: Type.Literal('bearer') }),
      }),
      schemas: Type.Record(Type.String({ pattern: '^[A-Z][A-Za-z0-9]+$' }), Type.Object({})),
      responses: Type.Record(Type.String(), Type.Object({ description: Type.String(), content })),
      headers: Type.Record(Type.String(), Type.Object({ description: Type.String(), schema: Type.Object({}) })),
    }),
  },
  { additionalProperties: false },
)
