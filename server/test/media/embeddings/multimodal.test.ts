import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { ark } from '#test/simulators/media/embeddings/ark.ts'
import { cohere } from '#test/simulators/media/embeddings/cohere.ts'
import { gemini } from '#test/simulators/media/embeddings/gemini.ts'
import { jina } from '#test/simulators/media/embeddings/jina.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { voyage } from '#test/simulators/media/embeddings/voyage.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { embeddingModel, image, pngBase64, pngUri, text, vectorsOf } from './embeddings-world.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

interface MultimodalCase {
  vendor: string
  base: string
  handler: MediaHandler
  model: string
  prices: JsonObject
  content: JsonObject[]
  sends: JsonObject
  tokens: number
  cost: number
}

const catAndPicture = [text('a cat'), image(pngUri)]
const written = { content: [text('a cat'), { type: 'image_url', image_url: { url: pngUri } }] }

const cases: MultimodalCase[] = [
  {
    vendor: 'openrouter',
    base: '/v1',
    handler: openAiShaped({ usage: () => ({ prompt_tokens: 302, prompt_tokens_details: { image_tokens: 300 } }) }),
    model: 'pictures-1',
    prices: { prompt: '0.0000001' },
    content: catAndPicture,
    sends: { input: [written] },
    tokens: 302,
    cost: 0.0000302,
  },
  {
    vendor: 'cohere',
    base: '',
    handler: cohere,
    model: 'embed-v4.0',
    prices: { prompt: '0.0000001', image_input_token: '0.0000004' },
    content: catAndPicture,
    sends: { inputs: [written], input_type: 'search_document' },
    tokens: 302,
    cost: 0.0001202,
  },
  {
    vendor: 'cohere',
    base: '',
    handler: cohere,
    model: 'embed-english-v3.0',
    prices: { prompt: '0.0000001', per_image_input: '0.0001' },
    content: [image(pngUri)],
    sends: { images: [pngUri], input_type: 'image' },
    tokens: 0,
    cost: 0.0001,
  },
  {
    vendor: 'voyage',
    base: '/v1',
    handler: voyage,
    model: 'voyage-multimodal-3',
    prices: { prompt: '0.00000012' },
    content: catAndPicture,
    sends: { inputs: [{ content: [text('a cat'), { type: 'image_base64', image_base64: pngUri }] }] },
    tokens: 102,
    cost: 0.00001224,
  },
  {
    vendor: 'jina',
    base: '/v1',
    handler: jina,
    model: 'jina-clip-v2',
    prices: { prompt: '0.00000002' },
    content: [image(pngUri)],
    sends: { input: [{ image: pngBase64 }] },
    tokens: 1_000,
    cost: 0.00002,
  },
  {
    vendor: 'google-ai-studio',
    base: '/v1',
    handler: gemini,
    model: 'gemini-embedding-2',
    prices: { prompt: '0.0000002', per_image_input: '0.00012' },
    content: catAndPicture,
    sends: {
      requests: [
        {
          model: 'models/gemini-embedding-2',
          content: { parts: [{ text: 'a cat' }, { inlineData: { mimeType: 'image/png', data: pngBase64 } }] },
        },
      ],
    },
    tokens: 260,
    cost: 0.0001204,
  },
  {
    vendor: 'byteplus',
    base: '/api/v3',
    handler: ark,
    model: 'skylark-embedding-vision-250615',
    prices: { prompt: '0.000000125', image_input_token: '0.000000325' },
    content: catAndPicture,
    sends: { input: written.content },
    tokens: 1_314,
    cost: 0.00042665,
  },
  {
    vendor: 'nvidia',
    base: '/v1',
    handler: openAiShaped(),
    model: 'llama-nemotron-embed-vl-1b-v2',
    prices: { prompt: '0.00000001' },
    content: catAndPicture,
    sends: { input: [`a cat ${pngUri}`], modality: ['text_image'], input_type: 'passage' },
    tokens: 3,
    cost: 0.00000003,
  },
]

const hosts = cases.map((each) => {
  const id = `acme/${each.model}`
  const special = { prices: each.prices, inputs: ['text', 'image'], upstream: each.model }
  return { ...each, record: { ...embeddingModel(id, each.vendor, special), id } }
})

describe('[EMB-03] items of texts and images', () => {
  let world: HostsWorld
  beforeAll(async () => {
    world = await startHostsWorld(hosts)
  })
  afterAll(() => world.close())

  const ask = async (model: string, input: JsonObject['input']) => {
    const caller = await world.createClient({ usd: '1' })
    const reply = await world.post(caller, '/v1/embeddings', { model, input })
    return { reply, charged: Number((await world.walletOf(caller.walletId)).charged) }
  }

  it.each(hosts)('reach $model of $vendor, and are charged as it counted them', async (host) => {
    const { reply, charged } = await ask(host.record.id, [{ content: host.content }])
    expect(reply.status).toBe(200)
    expect(vectorsOf(reply)).toHaveLength(1)
    expect(world.upstreamOf(host).calls[0]?.json).toMatchObject(host.sends)
    expect(reply.json.usage).toEqual({ prompt_tokens: host.tokens, total_tokens: host.tokens, cost: host.cost })
    expect(charged).toBe(host.cost)
  })

  it.each(hosts)('may stand beside texts for $model of $vendor, each with its own vector', async (host) => {
    const { reply } = await ask(host.record.id, ['a dog', { content: host.content }])
    expect(reply.status).toBe(200)
    expect(vectorsOf(reply)).toHaveLength(2)
  })
})

describe('[EMB-03] items', () => {
  let world: MediaWorld
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openrouter', path: '/v1' }, openAiShaped())
    await world.addModels([
      embeddingModel('acme/texts', 'openrouter'),
      embeddingModel('acme/pictures', 'openrouter', { inputs: ['text', 'image'] }),
      embeddingModel('acme/priced', 'openrouter', { prices: { prompt: '0.0000001', per_image_input: '0.0001' } }),
    ])
  })
  afterEach(() => {
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  it('without images are texts, and go to every model', async () => {
    const input = [{ content: [text('a cat'), text('on a mat')] }, { content: 'a dog' }]
    const reply = await world.post(await world.createClient(), '/v1/embeddings', { model: 'acme/texts', input })
    expect(reply.status).toBe(200)
    expect(world.upstream.calls[0]?.json.input).toEqual(['a cat\non a mat', 'a dog'])
  })

  it('with an https address leave the fetching to a host that fetches', async () => {
    const address = 'https://pictures.example/cat.png'
    const body = { model: 'acme/pictures', input: [{ content: [image(address)] }] }
    expect((await world.post(await world.createClient(), '/v1/embeddings', body)).status).toBe(200)
    expect(world.upstream.calls[0]?.json.input).toEqual([{ content: [image(address)] }])
  })

  it('are taken by a model that has a price for images, whatever its record lists', async () => {
    const body = { model: 'acme/priced', input: [{ content: catAndPicture }] }
    expect((await world.post(await world.createClient(), '/v1/embeddings', body)).status).toBe(200)
  })
})
