import Fastify, { type FastifyInstance } from 'fastify'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { noFreeModels } from '#domain/routing/free-models.ts'
import { unmeasured } from '#domain/routing/measurements.ts'
import { asGatewayError, errorBody } from '#errors/gateway-error.ts'
import { modelEndpoints } from '#http/models/model-endpoints.ts'
import {
  type ModelListView,
  type ModelView,
  modelListSchema,
  modelOffersSchema,
  modelSchema,
} from '#http/models/model-schema.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { sampleRows } from './sample-rows.ts'

const startMs = Date.parse('2026-11-15T12:00:00Z')
const dayMs = 86_400_000

let catalogue: Catalogue
let nowMs = startMs
let server: FastifyInstance

beforeAll(async () => {
  const database = await createTestDatabase()
  try {
    const store = createCatalogueStore(database.pool)
    await store.import(sampleRows(), startMs)
    catalogue = await store.load()
  } finally {
    await database.drop()
  }
  server = mount()
})
afterAll(() => server.close())

describe('GET /v1/models', () => {
  test('[MODEL-01] lists text-output models alone, to anybody', async () => {
    const { status, data } = await list('')
    expect(status).toBe(200)
    expect(data.length).toBeGreaterThan(15)
    for (const model of data) expect(model.architecture.output_modalities).toContain('text')
  })

  test('[MODEL-02] with output_modalities=all lists every kind of output', async () => {
    const { data } = await list('?output_modalities=all')
    const outputs = new Set(data.flatMap((model) => model.architecture.output_modalities))
    expect([...outputs].sort()).toEqual([...everyModality].sort())
    expect(data.length).toBe([...catalogue.models.values()].filter((model) => model.listed).length - 1)
  })

  test.each(everyModality)('[MODEL-03] with output_modalities=%s lists those alone', async (modality) => {
    const { data } = await list(`?output_modalities=${modality}`)
    expect(data.length).toBeGreaterThan(0)
    for (const model of data) expect(model.architecture.output_modalities).toContain(modality)
  })

  test('[MODEL-03] takes several modalities at once', async () => {
    const { data } = await list('?output_modalities=speech,video')
    expect(data.map((model) => model.id)).toEqual(['google/veo-3.1', 'openai/tts-1'])
  })

  test('[MODEL-04] [MODEL-05] [MODEL-06] [MODEL-08] every model has the documented form', async () => {
    const reply = await server.inject('/v1/models?output_modalities=all')
    expect([...Value.Errors(modelListSchema, reply.json())]).toEqual([])
    for (const model of (await list('?output_modalities=all')).data) {
      expect(model.id).toMatch(/^[^/]+\/[^/]+$/)
      expect(model.modality).toMatch(/^[a-z]+(\+[a-z]+)*->[a-z]+(\+[a-z]+)*$/)
    }
    expect((await find('openai/gpt-5.2')).modality).toBe('text+image+file->text')
    expect((await find('mistralai/mistral-7b-instruct-v0.1')).context_length).toBe(8192)
    expect((await find('openai/tts-1')).context_length).toBeNull()
  })

  test('[MODEL-07] prices are texts for a million tokens, of the lowest tier', async () => {
    const pricing = { prompt: '3.1', completion: '15.5', input_cache_read: '0.31', input_cache_write: '3.875' }
    expect((await find('anthropic/claude-sonnet-4.6')).pricing).toEqual(pricing)
    expect((await find('google/gemini-3-pro')).pricing).toEqual({ prompt: '2.2', completion: '13' })
    expect(await find('meta-llama/llama-guard-4-12b')).toMatchObject({ priced: false })
  })

  test('[MODEL-09] [MODEL-10] tiers stand only where there are some, per token', async () => {
    const { data } = await list('?output_modalities=all')
    expect(data.filter((model) => 'pricing_tiers' in model).map((model) => model.id)).toEqual(['google/gemini-3-pro'])
    expect((await find('google/gemini-3-pro')).pricing_tiers).toEqual([
      { above_prompt_tokens: 200_000, prompt: '0.0000044', completion: '0.0000195' },
    ])
  })

  test('[MODEL-11] a free tier is an entry of its own that costs nothing', async () => {
    const free = await find('google/gemma-3-27b-it:free')
    expect(free).toMatchObject({ priced: true, pricing: { prompt: '0', completion: '0' } })
    expect((await find('google/gemma-3-27b-it')).pricing.prompt).toBe('0.1')
  })

  test.each(['', '?limit=1000'])('[MODEL-12] is one page, also as /v1/models%s', async (query) => {
    const { body, data } = await list(query)
    expect(body).toMatchObject({ object: 'list', total_count: data.length, has_more: false, links: { next: null } })
  })

  test('[MODEL-13] every model has the fields that clients of other gateways read', async () => {
    expect(await find('openai/gpt-5.2')).toMatchObject({
      object: 'model',
      type: 'model',
      owned_by: 'openai',
      created: Date.UTC(2026, 1, 10) / 1000,
      canonical_slug: 'openai/gpt-5.2-20260210',
      display_name: 'OpenAI: GPT-5.2',
      top_provider: { is_moderated: false, max_completion_tokens: 128_000 },
      per_request_limits: null,
      default_parameters: null,
      supported_voices: null,
      links: { details: '/api/v1/models/openai/gpt-5.2/endpoints' },
    })
    expect((await find('openai/tts-1')).supported_voices).toEqual(['alloy', 'echo', 'nova'])
    const details = (await find('openai/gpt-5.2')).links.details
    expect((await server.inject(details.replace('/api', ''))).statusCode).toBe(200)
  })

  test('[MODEL-18] [MODEL-19] a model is flagged for 30 days before it retires, and then gone', async () => {
    const id = 'openai/gpt-4.1-nano'
    const retiresAtMs = catalogue.models.get(id)?.retiresAtMs ?? 0
    expect(retiresAtMs).toBeGreaterThan(0)
    expect(await statusAt(id, retiresAtMs - 30 * dayMs - 1)).toBe('active')
    expect(await statusAt(id, retiresAtMs - 30 * dayMs)).toBe('end-of-life')
    expect(await statusAt(id, retiresAtMs - 1)).toBe('end-of-life')
    expect(await statusAt(id, retiresAtMs)).toBeUndefined()
  })

  test.each(['', '?output_modalities=all', '?output_modalities=text,image'])(
    '[MODEL-19] hides what is retired or not listed from /v1/models%s',
    async (query) => {
      const ids = (await list(query)).data.map((model) => model.id)
      expect(ids).not.toContain('openai/gpt-4-32k')
      expect(ids).not.toContain('nousresearch/hermes-2-mixtral-8x7b')
    },
  )
})

describe('GET /v1/models/{slug}', () => {
  test.each([
    ['MODEL-14', 'qwen-qwen3-32b'],
    ['MODEL-15', 'qwen%2Fqwen3-32b'],
    ['MODEL-15', 'qwen/qwen3-32b'],
    ['MODEL-15', 'QWEN%2FQwen3-32B'],
  ])('[%s] as %s answers 200 with that model, to anybody', async (_, slug) => {
    const reply = await server.inject(`/v1/models/${slug}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(await find('qwen/qwen3-32b'))
    expect([...Value.Errors(modelSchema, reply.json())]).toEqual([])
  })

  test.each(['google-gemma-3-27b-it:free', 'google%2Fgemma-3-27b-it%3Afree'])(
    '[MODEL-15] knows an entry with a suffix as %s',
    async (slug) => {
      expect((await server.inject(`/v1/models/${slug}`)).json()).toMatchObject({ id: 'google/gemma-3-27b-it:free' })
    },
  )

  test.each(['nobody-nothing', 'nobody%2Fnothing', 'nobody/nothing', 'nobody/nothing/endpoints', '%2525'])(
    '[MODEL-14] as %s answers 404 model_not_found',
    async (slug) => {
      const reply = await server.inject(`/v1/models/${slug}`)
      expect(reply.statusCode).toBe(404)
      expect(reply.json()).toMatchObject({ error: { code: 'model_not_found' } })
    },
  )

  test.each(['openai-gpt-4-32k', 'openai%2Fgpt-4-32k', 'openai/gpt-4-32k/endpoints'])(
    '[MODEL-17] as %s answers 410 for a retired model',
    async (slug) => {
      const reply = await server.inject(`/v1/models/${slug}`)
      expect(reply.statusCode).toBe(410)
      expect(reply.json()).toMatchObject({ error: { code: 'model_retired', type: 'model_not_available' } })
    },
  )
})

describe('GET /v1/models/{author}/{slug}/endpoints', () => {
  test.each(['qwen/qwen3-32b', 'qwen%2Fqwen3-32b', 'qwen-qwen3-32b'])(
    '[MODEL-15] for %s shows who serves the model, at which price',
    async (name) => {
      const reply = await server.inject(`/v1/models/${name}/endpoints`)
      expect(reply.statusCode).toBe(200)
      const body: unknown = reply.json()
      expect([...Value.Errors(modelOffersSchema, body)]).toEqual([])
      expect(body).toMatchObject({ data: { id: 'qwen/qwen3-32b', endpoints: { length: 5 } } })
      expect(reply.json().data.endpoints[1]).toMatchObject({
        name: 'deepinfra | qwen/qwen3-32b',
        provider_name: 'deepinfra',
        tag: 'deepinfra',
        context_length: 40_960,
        max_completion_tokens: 16_384,
        quantization: 'fp8',
        pricing: { prompt: '0.1', completion: '0.3' },
        status: 0,
      })
    },
  )
})

const everyModality = ['text', 'image', 'embeddings', 'audio', 'video', 'rerank', 'speech', 'transcription'] as const

async function list(query: string): Promise<{ status: number; body: ModelListView; data: ModelView[] }> {
  const reply = await server.inject(`/v1/models${query}`)
  expect(reply.headers['content-type']).toContain('application/json')
  const body: ModelListView = reply.json()
  return { status: reply.statusCode, body, data: body.data }
}

async function find(id: string): Promise<ModelView> {
  const model = (await list('?output_modalities=all')).data.find((candidate) => candidate.id === id)
  if (model === undefined) throw new Error(`${id} is not listed`)
  return model
}

async function statusAt(id: string, atMs: number): Promise<string | undefined> {
  nowMs = atMs
  try {
    return (await list('')).data.find((model) => model.id === id)?.status
  } finally {
    nowMs = startMs
  }
}

/** The endpoints on a router of their own. */
function mount(): FastifyInstance {
  const fastify = Fastify()
  fastify.setErrorHandler((error, _, reply) => {
    const refusal = asGatewayError(error)
    return reply.code(refusal.row.status).send(errorBody(refusal))
  })
  const anybody = { body: {}, headers: {}, requestId: '1', clientIp: null, caller: null, organization: null } as const
  for (const endpoint of modelEndpoints({
    catalogue: () => catalogue,
    freeModels: () => noFreeModels,
    measured: () => unmeasured,
  })) {
    for (const path of endpoint.paths) {
      fastify.get<{ Params: Record<string, string>; Querystring: Record<string, string> }>(
        path,
        async ({ params, query }, reply) => {
          const answer = await endpoint.handle({ ...anybody, params, query, nowMs })
          return reply
            .code(answer.status ?? 200)
            .headers(answer.headers ?? {})
            .send(answer.body)
        },
      )
    }
  }
  return fastify
}
