import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { vectorFor } from '#test/simulators/media/embeddings/vectors.ts'
import { vertex } from '#test/simulators/media/embeddings/vertex.ts'
import { playGeminiImages } from '#test/simulators/media/images/gemini-images.ts'
import { embeddingModel, image, pngBase64, pngUri, text, vectorsOf } from './embeddings/embeddings-world.ts'
import { codeOf, imageModel } from './images/images-world.ts'
import { type MediaWorld, startMediaWorld } from './media-world.ts'

const place = '/v1/projects/p/locations/europe-west1'
const models = `${place}/publishers/google/models`
const vendor = 'google-vertex'

function refuse(code: number, status: string) {
  return () => ({ status: code, body: { error: { code, message: 'No', status } } })
}

describe('Vertex', () => {
  let world: MediaWorld
  let caller: TestClient

  beforeAll(async () => {
    world = await startMediaWorld({ vendor, path: place }, vertex)
    await world.addModels([
      embeddingModel('google/text-embedding-005', vendor, {
        prices: { prompt: '0.0000001', per_character: '0.000000025' },
      }),
      embeddingModel('google/gemini-embedding-001', vendor, { prices: { prompt: '0.00000015' } }),
      embeddingModel('google/gemini-embedding-2', vendor, {
        prices: { prompt: '0.0000002', per_image_input: '0.00012' },
        inputs: ['text', 'image'],
      }),
      imageModel('google/imagen-4', vendor, { upstream: 'imagen-4.0-generate-001' }),
      imageModel('google/gemini-image', vendor, {
        upstream: 'gemini-2.5-flash-image',
        pricing: { prompt: '0.000001', completion: '0.000002', image_output_token: '0.00003' },
      }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(vertex)
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const embed = (model: string, body: JsonObject) => world.post(caller, '/v1/embeddings', { model, ...body })
  const sent = () => world.upstream.calls.map(({ path, json }) => [path, json])

  it('makes embeddings by predictions of many texts, counted text by text', async () => {
    const reply = await embed('google/text-embedding-005', {
      input: ['Hello there', 'you'],
      dimensions: 256,
      input_type: 'query',
      user: 'u',
    })
    expect(reply.status, reply.text).toBe(200)
    const instance = { task_type: 'RETRIEVAL_QUERY' }
    expect(sent()).toEqual([
      [
        `${models}/text-embedding-005:predict`,
        {
          instances: [
            { content: 'Hello there', ...instance },
            { content: 'you', ...instance },
          ],
          parameters: { outputDimensionality: 256 },
        },
      ],
    ])
    expect(vectorsOf(reply)).toEqual([vectorFor('Hello there', 256), vectorFor('you', 256)])
    expect(reply.json.usage).toEqual({ prompt_tokens: 3, total_tokens: 3, cost: 0.0000003 })
    expect(reply.headers.get('x-params-ignored')).toBe('user')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0.0000003' })
  })

  it('is sent as many texts at once as surely have room, and one where the model takes one', async () => {
    const long = 'word '.repeat(1_000)
    expect((await embed('google/text-embedding-005', { input: Array.from({ length: 20 }, () => long) })).status).toBe(
      200,
    )
    expect(world.upstream.calls.map(({ json }) => Object(json['instances']).length)).toEqual([9, 9, 2])
    world.upstream.calls.length = 0
    const reply = await embed('google/gemini-embedding-001', { input: ['Hello there', 'you'] })
    expect(reply.status, reply.text).toBe(200)
    expect(world.upstream.calls).toHaveLength(2)
    expect(reply.json.usage).toMatchObject({ prompt_tokens: 3, cost: 0.00000045 })
  })

  it('makes embeddings of texts and images, one content at a time', async () => {
    const item = { content: [text('a fox'), image(pngUri)] }
    const reply = await embed('google/gemini-embedding-2', { input: [item], dimensions: 256 })
    expect(reply.status, reply.text).toBe(200)
    const parts = [{ text: 'a fox' }, { inlineData: { mimeType: 'image/png', data: pngBase64 } }]
    expect(sent()).toEqual([
      [
        `${models}/gemini-embedding-2:embedContent`,
        { content: { role: 'user', parts }, embedContentConfig: { outputDimensionality: 256 } },
      ],
    ])
    // Two text tokens, and the image at a price per image.
    expect(reply.json.usage).toMatchObject({ cost: 0.0001204 })
  })

  it('says in the gateway’s words what Vertex refuses', async () => {
    world.upstream.play(refuse(400, 'INVALID_ARGUMENT'))
    const wrong = await embed('google/text-embedding-005', { input: 'Hi' })
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'unknown_4xx'])
    world.upstream.play(refuse(429, 'RESOURCE_EXHAUSTED'))
    const busy = await embed('google/text-embedding-005', { input: 'Hi' })
    expect([busy.status, codeOf(busy)]).toEqual([429, 'upstream_rate_limited'])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
  })

  it('draws by predictions and within conversations, and is shown a token for both', async () => {
    world.upstream.play(playGeminiImages())
    const draw = (model: string, body: JsonObject) =>
      world.post(caller, '/v1/images/generations', { model, prompt: 'A fox', ...body })
    const imagen = await draw('google/imagen-4', { n: 2, size: '2048x2048' })
    expect(imagen.status, imagen.text).toBe(200)
    expect(imagen.json.usage).toMatchObject({ cost: 0.08 })
    const gemini = await draw('google/gemini-image', {})
    expect(gemini.status, gemini.text).toBe(200)
    expect(world.upstream.calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`${models}/imagen-4.0-generate-001:predict`, 'Bearer upstream-secret'],
      [`${models}/gemini-2.5-flash-image:generateContent`, 'Bearer upstream-secret'],
    ])
    expect(world.upstream.calls[0]?.json['parameters']).toEqual({
      sampleCount: 2,
      aspectRatio: '1:1',
      sampleImageSize: '2K',
    })
  })
})
