import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { ark } from '#test/simulators/media/embeddings/ark.ts'
import { cohere } from '#test/simulators/media/embeddings/cohere.ts'
import { gemini } from '#test/simulators/media/embeddings/gemini.ts'
import { jina } from '#test/simulators/media/embeddings/jina.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { asBase64, vectorFor } from '#test/simulators/media/embeddings/vectors.ts'
import { voyage } from '#test/simulators/media/embeddings/voyage.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { embeddingModel, vectorsOf } from './embeddings-world.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

interface VendorCase {
  vendor: string
  /** The path after the upstream's address. */
  base: string
  handler: MediaHandler
  model?: string
  /** The request for one text as a query with four dimensions. */
  path: string
  sends: JsonObject
  inputsMax: number
  header?: [string, string]
  /** The input of a vector, if that is more than the text. */
  seed?: (text: string) => string
}

const bearer: [string, string] = ['authorization', 'Bearer upstream-secret']
const plain = { input: ['Hello there'], dimensions: 4 }

const openAiLike = (vendor: string, inputsMax: number, special: Partial<VendorCase> = {}): VendorCase => ({
  vendor,
  base: '/v1',
  handler: openAiShaped({ inputsMax }),
  path: '/v1/embeddings',
  sends: plain,
  inputsMax,
  ...special,
})

const cases: VendorCase[] = [
  openAiLike('azure', 512, {
    base: '/openai/v1',
    path: '/openai/v1/embeddings',
    header: ['api-key', 'upstream-secret'],
  }),
  openAiLike('mistral', 32, {
    handler: openAiShaped({ inputsMax: 32, dimensionsField: 'output_dimension' }),
    sends: { input: ['Hello there'], output_dimension: 4 },
  }),
  openAiLike('alibaba', 10),
  openAiLike('alibaba-cn', 10),
  openAiLike('nvidia', 512, { sends: { ...plain, input_type: 'query' } }),
  openAiLike('siliconflow', 32),
  openAiLike('byteplus', 256),
  openAiLike('zhipu-cn', 64),
  openAiLike('upstage', 100),
  openAiLike('cloudflare', 100),
  ...['together', 'fireworks', 'vllm', 'ollama', 'deepinfra', 'nebius', 'novita', 'openrouter', 'scaleway'].map(
    (vendor) => openAiLike(vendor, 512),
  ),
  {
    vendor: 'cohere',
    base: '/compatibility/v1',
    handler: cohere,
    path: '/v2/embed',
    sends: { texts: ['Hello there'], input_type: 'search_query', embedding_types: ['float'], output_dimension: 4 },
    inputsMax: 96,
  },
  {
    vendor: 'voyage',
    base: '/v1',
    handler: voyage,
    path: '/v1/embeddings',
    sends: { input: ['Hello there'], input_type: 'query', output_dimension: 4 },
    inputsMax: 512,
  },
  {
    vendor: 'voyage',
    base: '/v1',
    handler: voyage,
    model: 'voyage-context-3',
    path: '/v1/contextualizedembeddings',
    sends: { inputs: [['Hello there']], input_type: 'query', output_dimension: 4 },
    inputsMax: 512,
  },
  {
    vendor: 'jina',
    base: '/v1',
    handler: jina,
    path: '/v1/embeddings',
    sends: { input: ['Hello there'], task: 'retrieval.query', dimensions: 4 },
    inputsMax: 512,
  },
  {
    vendor: 'google-ai-studio',
    base: '/v1',
    handler: gemini,
    model: 'gemini-embedding-2',
    path: '/v1/models/gemini-embedding-2:batchEmbedContents',
    sends: {
      requests: [
        {
          model: 'models/gemini-embedding-2',
          content: { parts: [{ text: 'Hello there' }] },
          taskType: 'RETRIEVAL_QUERY',
          outputDimensionality: 4,
        },
      ],
    },
    inputsMax: 100,
    header: ['x-goog-api-key', 'upstream-secret'],
    seed: (text) => JSON.stringify([{ text }]),
  },
  {
    vendor: 'volcengine',
    base: '/api/v3',
    handler: ark,
    model: 'doubao-embedding-vision-250615',
    path: '/api/v3/embeddings/multimodal',
    sends: { input: [{ type: 'text', text: 'Hello there' }], dimensions: 4 },
    inputsMax: 1,
    seed: (text) => JSON.stringify([{ type: 'text', text }]),
  },
]

const hosts = cases.map((each) => {
  const { vendor, base, handler, model = 'embed-1' } = each
  const id = `${vendor}/${model}`
  const record = { ...embeddingModel(id, vendor, { prices: { prompt: '0.00000001' }, upstream: model }), id }
  return { ...each, vendor, base, handler, model, record }
})

describe('embeddings', () => {
  let world: HostsWorld
  let caller: Awaited<ReturnType<MediaWorld['createClient']>>
  beforeAll(async () => {
    world = await startHostsWorld(hosts)
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '1' })
  })
  afterAll(() => world.close())

  describe.each(hosts)('of $record.id', (host) => {
    const { vendor, model, path, sends, inputsMax, header = bearer, seed = (text: string) => text } = host
    const { id } = host.record
    const ask = (body: JsonObject) => world.post(caller, '/v1/embeddings', { model: id, ...body })

    it('are asked for in its own words and charged by its own count', async () => {
      const reply = await ask({ input: 'Hello there', dimensions: 4, input_type: 'search_query', user: 'u' })
      expect(reply.status).toBe(200)
      const [call] = world.upstreamOf(host).calls
      expect(call).toMatchObject({ method: 'POST', path, headers: { [header[0]]: header[1] } })
      const named = path.includes(':') ? {} : { model }
      const extra = vendor === 'azure' || vendor === 'openrouter' ? { user: 'u' } : {}
      expect(call?.json).toEqual({ ...named, ...sends, ...extra })
      expect(reply.json).toEqual({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: vectorFor(seed('Hello there'), 4) }],
        model: id,
        usage: { prompt_tokens: 2, total_tokens: 2, cost: 0.00000002 },
      })
      expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0.00000002' })
    })

    it('come in both forms', async () => {
      const vector = vectorFor(seed('Hello'))
      expect(vectorsOf(await ask({ input: 'Hello', encoding_format: 'float' }))).toEqual([vector])
      expect(vectorsOf(await ask({ input: 'Hello', encoding_format: 'base64' }))).toEqual([asBase64(vector)])
    })

    it(`are made of at most ${inputsMax} inputs at a time`, async () => {
      const input = Array.from({ length: inputsMax + 1 }, (_, index) => `text ${index}`)
      world.upstreamOf(host).calls.length = 0
      const reply = await ask({ input })
      expect(reply.status).toBe(200)
      expect(world.upstreamOf(host).calls).toHaveLength(2)
      expect(vectorsOf(reply)).toEqual(input.map((text) => vectorFor(seed(text))))
      expect(reply.json.usage).toMatchObject({ prompt_tokens: 2 * (inputsMax + 1) })
    })
  })
})

describe('what vendors do differently', () => {
  it('[EMB-07] Gemini is asked to count where it does not by itself, and nothing is charged where it will not', async () => {
    const world = await startMediaWorld({ vendor: 'google-ai-studio', path: '/v1' }, gemini)
    const model = 'google/gemini-embedding-001'
    await world.addModels([embeddingModel(model, 'google-ai-studio', { prices: { prompt: '0.00000015' } })])
    const caller = await world.createClient({ usd: '1' })
    const ask = () => world.post(caller, '/v1/embeddings', { model, input: ['Hello there', 'you'] })
    expect((await ask()).json.usage).toEqual({ prompt_tokens: 3, total_tokens: 3, cost: 0.00000045 })
    expect(world.upstream.calls.map((call) => call.path)).toEqual([
      '/v1/models/gemini-embedding-001:batchEmbedContents',
      '/v1/models/gemini-embedding-001:countTokens',
    ])
    expect(world.upstream.calls[1]?.json).toEqual({
      contents: [{ parts: [{ text: 'Hello there' }] }, { parts: [{ text: 'you' }] }],
    })
    world.upstream.play((call, response) =>
      call.path.endsWith(':countTokens') ? { status: 503, body: {} } : gemini(call, response),
    )
    expect((await ask()).json.usage).toEqual({ prompt_tokens: 0, total_tokens: 0, cost: 0 })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0.00000045' })
    await world.close()
  })

  it('texts are documents for Cohere and NVIDIA unless their caller says otherwise', async () => {
    for (const [vendor, base, handler, expected] of [
      ['cohere', '', cohere, 'search_document'],
      ['nvidia', '/v1', openAiShaped(), 'passage'],
    ] as const) {
      const world = await startMediaWorld({ vendor, path: base }, handler)
      await world.addModels([embeddingModel('acme/embed', vendor)])
      const caller = await world.createClient()
      const ask = (body: JsonObject) =>
        world.post(caller, '/v1/embeddings', { model: 'acme/embed', input: 'a', ...body })
      const reply = await ask({})
      expect(reply.status).toBe(200)
      await ask({ input_type: 'classification' })
      expect(world.upstream.calls.map(({ json }) => json.input_type)).toEqual([expected, 'classification'])
      await world.close()
    }
  })

  it('fields that a vendor is not told are named', async () => {
    const world = await startMediaWorld({ vendor: 'voyage', path: '/v1' }, voyage)
    await world.addModels([embeddingModel('voyageai/voyage-3.5', 'voyage')])
    const caller = await world.createClient()
    const body = { model: 'voyageai/voyage-3.5', input: 'a', user: 'u', truncation: false, input_type: 'query' }
    const reply = await world.post(caller, '/v1/embeddings', body)
    expect(reply.headers.get('x-params-ignored')).toBe('user')
    expect(world.upstream.calls[0]?.json).toMatchObject({ truncation: false, input_type: 'query' })
    await world.close()
  })

  it('a host that takes one input at a time is not asked a thousand times', async () => {
    const world = await startMediaWorld({ vendor: 'byteplus', path: '/api/v3' }, ark)
    await world.addModels([embeddingModel('bytedance-seed/skylark-embedding-vision', 'byteplus')])
    const caller = await world.createClient()
    const input = Array.from({ length: 257 }, () => 'a')
    const reply = await world.post(caller, '/v1/embeddings', {
      model: 'bytedance-seed/skylark-embedding-vision',
      input,
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('at most 256')
    expect(world.upstream.calls).toEqual([])
    await world.close()
  })

  it('a failure that comes with status 200 is one', async () => {
    const world = await startMediaWorld({ vendor: 'openrouter', path: '/v1' }, () => ({
      body: { error: { message: 'No successful provider responses.', code: 502 } },
    }))
    await world.addModels([embeddingModel('acme/embed', 'openrouter')])
    const reply = await world.post(await world.createClient(), '/v1/embeddings', { model: 'acme/embed', input: 'a' })
    expect(reply.status).toBe(502)
    expect(isJsonObject(reply.json.error)).toBe(true)
    await world.close()
  })
})
