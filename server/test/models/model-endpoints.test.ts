import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { offerFreeModel } from '#test/setup/offer-free-model.ts'
import type { Reply } from '#test/setup/reply.ts'
import { sampleCatalogueFile } from '#test/setup/sample-catalogue.ts'

const dayMs = 86_400_000
const today = '2026-11-15T12:00:00Z'
const everyModality = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
  'moderation',
] as const

/** The operator's import. */
const imported: JsonObject[] = JSON.parse(readFileSync(sampleCatalogueFile, 'utf8'))
const clock = createTestClock(today)
const noTests = { WEIR_TEST_MODELS_ENABLED: 'false' }
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway(noTests, clock)
})
afterAll(() => gateway.close())

describe('GET /v1/models', () => {
  test('[MODEL-01] lists text-output models alone, to anybody', async () => {
    const { status, list: models } = await list('')
    expect(status).toBe(200)
    expect(models.length).toBeGreaterThan(15)
    for (const model of models) expect(outputsOf(model)).toContain('text')
  })

  test('[MODEL-02] with output_modalities=all lists the whole catalogue', async () => {
    const { list: models } = await list('?output_modalities=all')
    expect(new Set(models.flatMap(outputsOf))).toEqual(new Set(everyModality))
    const served = imported.filter(({ status }) => status === 'active' || status === 'end-of-life')
    expect(models.map(({ id }) => id).toSorted()).toEqual(served.map(({ id }) => id).toSorted())
  })

  test.each(everyModality)('[MODEL-03] with output_modalities=%s lists those alone', async (modality) => {
    const { list: all } = await list('?output_modalities=all')
    const { list: models } = await list(`?output_modalities=${modality}`)
    expect(models.length).toBeGreaterThan(0)
    expect(models).toEqual(all.filter((model) => outputsOf(model).includes(modality)))
  })

  test('[MODEL-03] takes several modalities at once', async () => {
    const { list: models } = await list('?output_modalities=speech,video')
    expect(models.map((model) => model.id)).toEqual(['google/veo-3.1', 'openai/tts-1'])
  })

  test('[MODEL-04] [MODEL-05] every model has an id, a name, a context and a modality in the documented form', async () => {
    for (const model of await listAll()) {
      expect(model.id).toMatch(/^[^/]+\/[^/]+$/)
      expect(model.name).toEqual(expect.any(String))
      expect(model.context_length === null || Number.isInteger(model.context_length), String(model.id)).toBe(true)
      const side = '[a-z]+(?:\\+[a-z]+)*'
      if (model.modality !== null) expect(model.modality).toMatch(new RegExp(`^${side}->${side}$`))
    }
    expect((await find('openai/gpt-5.2')).modality).toBe('text+image+file->text')
    expect((await find('mistralai/mistral-7b-instruct-v0.1')).context_length).toBe(8192)
    expect((await find('openai/tts-1')).context_length).toBeNull()
  })

  test('[MODEL-06] [MODEL-08] modalities, description, cap and parameters are of the documented types', async () => {
    for (const model of await listAll()) {
      const { input_modalities: inputs } = objectAt(model, 'architecture')
      expect(Array.isArray(inputs) && inputs.length > 0 && inputs.every((name) => typeof name === 'string')).toBe(true)
      for (const output of outputsOf(model)) expect(everyModality).toContain(output)
      expect(['string', 'undefined']).toContain(typeof (model.description ?? undefined))
      const cap = objectAt(model, 'top_provider').max_completion_tokens ?? undefined
      if (cap !== undefined) expect(Number.isInteger(cap)).toBe(true)
      const { supported_parameters: parameters = [] } = model
      expect(Array.isArray(parameters) && parameters.every((name) => typeof name === 'string')).toBe(true)
    }
    const { top_provider: top, supported_parameters: parameters } = await find('openai/gpt-5.2')
    expect(top).toMatchObject({ max_completion_tokens: 128_000 })
    expect(parameters).toContain('tools')
  })

  test('[MODEL-07] prices are texts for a million tokens, of the lowest tier', async () => {
    const pricing = { prompt: '3.1', completion: '15.5', input_cache_read: '0.31', input_cache_write: '3.875' }
    expect((await find('anthropic/claude-sonnet-4.6')).pricing).toEqual(pricing)
    expect((await find('google/gemini-3-pro')).pricing).toEqual({ prompt: '2.2', completion: '13' })
    expect(await find('meta-llama/llama-guard-4-12b')).toMatchObject({ priced: false })
  })

  test('[MODEL-09] [MODEL-10] tiers stand only where there are some, per token', async () => {
    const tiered = (await listAll()).filter((model) => 'pricing_tiers' in model)
    expect(tiered.map((model) => model.id)).toEqual(['google/gemini-3-pro'])
    expect((await find('google/gemini-3-pro')).pricing_tiers).toEqual([
      { above_prompt_tokens: 200_000, prompt: '0.0000044', completion: '0.0000195' },
    ])
  })

  test('[MODEL-11] a free tier is an entry of its own that costs nothing', async () => {
    const free = { priced: true, pricing: { prompt: '0', completion: '0' } }
    expect(await find('google/gemma-3-27b-it:free')).toMatchObject(free)
    expect(objectAt(await find('google/gemma-3-27b-it'), 'pricing').prompt).toBe('0.1')
    await using other = await startOther()
    const given = 'openai/gpt-4o-mini:free'
    expect((await list('', other)).list.map(({ id }) => id)).not.toContain(given)
    await offerFreeModel(other, 'openai/gpt-4o-mini')
    expect((await list('', other)).list.find(({ id }) => id === given)).toMatchObject(free)
  })

  test.each(['', '?limit=1000'])('[MODEL-12] is one page, also as /v1/models%s', async (query) => {
    const { json, list: models } = await list(query)
    expect(json).toMatchObject({ object: 'list', total_count: models.length, has_more: false, links: { next: null } })
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
    for (const { links } of await listAll()) {
      expect((await gateway.as().get(String(Object(links).details))).status).toBe(200)
    }
  })

  test('[MODEL-18] [MODEL-19] a model is flagged for 30 days before it retires, and then gone', async () => {
    const id = 'openai/gpt-4.1-nano'
    const retiresAtMs = Date.parse(String(imported.find((record) => record.id === id)?.deprecation_date))
    expect(retiresAtMs).toBeGreaterThan(0)
    expect(await statusAt(id, retiresAtMs - 30 * dayMs - 1)).toBe('active')
    expect(await statusAt(id, retiresAtMs - 30 * dayMs)).toBe('end-of-life')
    expect(await statusAt(id, retiresAtMs - 1)).toBe('end-of-life')
    expect(await statusAt(id, retiresAtMs)).toBeUndefined()
  })

  test.each(['', '?output_modalities=all', '?output_modalities=text,image'])(
    '[MODEL-19] hides what is retired or not listed from /v1/models%s',
    async (query) => {
      const ids = (await list(query)).list.map((model) => model.id)
      expect(ids).not.toContain('openai/gpt-4-32k')
      expect(ids).not.toContain('nousresearch/hermes-2-mixtral-8x7b')
    },
  )
})

describe('what can be called', () => {
  test('[D1] is what an account of the operator serves', async () => {
    await using other = await startOther()
    const before = await list('?output_modalities=all', other)
    expect(before.list.filter(({ available }) => available !== false)).toEqual([])
    expect(await idsOf('?available=true', other)).toEqual([])
    await other.addProvider({ vendor: 'openai', url: 'http://127.0.0.1:9' })
    const after = await list('?output_modalities=all', other)
    expect(after.list.find(({ id }) => id === 'openai/gpt-5.2')).toMatchObject({ available: true })
    expect(after.list.find(({ id }) => id === 'qwen/qwen3-32b')).toMatchObject({ available: false })
    const callable = await idsOf('?output_modalities=all&available=true', other)
    expect(callable).toContain('openai/gpt-5.2')
    expect(callable).not.toContain('qwen/qwen3-32b')
    const rest = await idsOf('?output_modalities=all&available=false', other)
    expect([...callable, ...rest].toSorted()).toEqual(after.list.map(({ id }) => id).toSorted())
    const one = await other.as().get('/v1/models/openai/gpt-5.2')
    expect(one.json).toMatchObject({ available: true })
  })

  test('[D1] shows a provider without an account as out of service', async () => {
    await using other = await startOther()
    await other.addProvider({ vendor: 'deepinfra', url: 'http://127.0.0.1:9' })
    const { data } = await other.as().get('/v1/models/qwen/qwen3-32b/endpoints')
    const offers = Array.isArray(data['endpoints']) ? data['endpoints'].filter(isJsonObject) : []
    const statuses = offers.map(({ provider_name, status }) => [provider_name, status])
    expect(statuses).toContainEqual(['deepinfra', 0])
    expect(statuses.filter(([name, status]) => name !== 'deepinfra' && status !== -1)).toEqual([])
  })

  test('[D1] includes test models where there are any', async () => {
    const tests = await startTestGateway({ WEIR_TEST_MODELS_ENABLED: 'true' }, clock)
    try {
      expect(await idsOf('?available=true', tests)).toContain('test/echo')
      expect((await tests.as().get('/v1/models/test/echo')).json).toMatchObject({ id: 'test/echo', available: true })
    } finally {
      await tests.close()
    }
    expect(await idsOf('?output_modalities=all', gateway)).not.toContain('test/echo')
  })

  test('is asked for as true or false', async () => {
    const reply = await gateway.as().get('/v1/models?available=yes')
    expect(reply.status).toBe(400)
    expect(reply.error).toMatchObject({ message: 'The query parameter available must be true or false.' })
  })
})

describe('GET /v1/models/{slug}', () => {
  test.each([
    ['MODEL-14', 'qwen-qwen3-32b'],
    ['MODEL-15', 'qwen%2Fqwen3-32b'],
    ['MODEL-15', 'qwen/qwen3-32b'],
    ['MODEL-15', 'QWEN%2FQwen3-32B'],
  ])('[%s] as %s answers 200 with that model, to anybody', async (_, slug) => {
    const reply = await show(slug)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual(await find('qwen/qwen3-32b'))
  })

  test('[MODEL-14] every listed model is found by its id with a dash for the slash', async () => {
    for (const model of await listAll()) {
      const reply = await show(String(model.id).replace('/', '-'))
      expect({ status: reply.status, json: reply.json }).toEqual({ status: 200, json: model })
    }
  })

  test.each(['google-gemma-3-27b-it:free', 'google%2Fgemma-3-27b-it%3Afree'])(
    '[MODEL-15] knows an entry with a suffix as %s',
    async (slug) => {
      expect((await show(slug)).json).toMatchObject({ id: 'google/gemma-3-27b-it:free' })
    },
  )

  test.each(['nobody-nothing', 'nobody%2Fnothing', 'nobody/nothing', 'nobody/nothing/endpoints', '%2525'])(
    '[MODEL-14] as %s answers 404 model_not_found',
    async (slug) => {
      const reply = await show(slug)
      expect(reply.status).toBe(404)
      expect(reply.error).toMatchObject({ code: 'model_not_found' })
    },
  )

  test.each(['openai-gpt-4-32k', 'openai%2Fgpt-4-32k', 'openai/gpt-4-32k/endpoints'])(
    '[MODEL-17] as %s answers 410 for a retired model',
    async (slug) => {
      const reply = await show(slug)
      expect(reply.status).toBe(410)
      expect(reply.error).toMatchObject({ code: 'model_retired', type: 'model_not_available' })
    },
  )
})

describe('GET /v1/models/{author}/{slug}/endpoints', () => {
  test.each(['qwen/qwen3-32b', 'qwen%2Fqwen3-32b', 'qwen-qwen3-32b'])(
    '[MODEL-15] for %s shows who serves the model, at which price',
    async (name) => {
      const reply = await show(`${name}/endpoints`)
      expect(reply.status).toBe(200)
      const { id, endpoints } = reply.data
      expect(id).toBe('qwen/qwen3-32b')
      const offers = Array.isArray(endpoints) ? endpoints.filter(isJsonObject) : []
      expect(offers).toHaveLength(5)
      expect(offers[1]).toMatchObject({
        name: 'deepinfra | qwen/qwen3-32b',
        provider_name: 'deepinfra',
        tag: 'deepinfra',
        context_length: 40_960,
        max_completion_tokens: 16_384,
        quantization: 'fp8',
        pricing: { prompt: '0.1', completion: '0.3' },
        status: -1,
      })
    },
  )
})

async function list(query: string, of: TestGateway = gateway): Promise<Reply> {
  const reply = await of.as().get(`/v1/models${query}`)
  expect(reply.headers.get('content-type')).toContain('application/json')
  return reply
}

async function idsOf(query: string, of: TestGateway): Promise<unknown[]> {
  return (await list(query, of)).list.map(({ id }) => id)
}

async function listAll(): Promise<JsonObject[]> {
  const { list: models } = await list('?output_modalities=all')
  expect(models.length).toBeGreaterThan(20)
  return models
}

async function find(id: string): Promise<JsonObject> {
  const model = (await listAll()).find((candidate) => candidate.id === id)
  if (model === undefined) throw new Error(`${id} is not listed`)
  return model
}

const show = (slug: string): Promise<Reply> => gateway.as().get(`/v1/models/${slug}`)

function outputsOf(model: JsonObject): unknown[] {
  const { output_modalities: outputs } = objectAt(model, 'architecture')
  return Array.isArray(outputs) ? outputs : []
}

async function statusAt(id: string, atMs: number): Promise<unknown> {
  clock.set(new Date(atMs).toISOString())
  try {
    return (await list('')).list.find((model) => model.id === id)?.status
  } finally {
    clock.set(today)
  }
}

/** A gateway whose models may be changed. */
async function startOther(): Promise<TestGateway & AsyncDisposable> {
  const other = await startTestGateway(noTests, clock)
  return { ...other, [Symbol.asyncDispose]: () => other.close() }
}
