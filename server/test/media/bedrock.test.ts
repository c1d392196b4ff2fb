import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { vectorFor } from '#test/simulators/media/embeddings/vectors.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import { invokeError, playInvokeModel } from '#test/simulators/media/invoke-model.ts'
import { embeddingModel, image, pngBase64, pngUri, text, vectorsOf } from './embeddings/embeddings-world.ts'
import { codeOf, formOf, imageModel } from './images/images-world.ts'
import { type MediaWorld, startMediaWorld } from './media-world.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const vendor = 'amazon-bedrock'
const profile = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k7x2'

/** Models by their names at Bedrock, with prices as in the catalogue. */
const embedders = {
  'amazon.titan-embed-text-v1': { prompt: '0.0000001' },
  'amazon.titan-embed-text-v2:0': { prompt: '0.00000002' },
  'amazon.titan-embed-image-v1': { prompt: '0.0000008', per_image_input: '0.00006' },
  'amazon.nova-2-multimodal-embeddings-v1:0': { prompt: '0.000000135', per_image_input: '0.00006' },
  'cohere.embed-english-v3': { prompt: '0.0000001' },
  'us.cohere.embed-v4:0': { prompt: '0.00000012' },
}
const painters = {
  'us.amazon.nova-canvas-v1:0': '0.06',
  'amazon.titan-image-generator-v2:0': '0.008',
  'stability.sd3-5-large-v1:0': '0.08',
  'stability.stable-image-core-v1:1': '0.04',
  'stability.stable-fast-upscale-v1:0': '0.03',
  'stability.stable-image-inpaint-v1:0': '0.07',
}

function idOf(upstream: string): string {
  return `bedrock/${upstream.replaceAll(/[.:]/g, '-')}`
}

describe('Bedrock', () => {
  let world: MediaWorld
  let caller: TestClient

  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playInvokeModel({ secret }))
    const credential = `AKIAEXAMPLE:${secret},region=us-east-1`
    await world.addProvider({ vendor, name: 'bedrock', url: world.upstream.url, pattern: 'bedrock/*', credential })
    const hidden = { vendor, name: 'hidden', url: world.upstream.url, credential, upstreamModel: profile }
    await world.addProvider({ ...hidden, pattern: 'amazon/titan-embed-text-v2' })
    const read = { inputs: ['text', 'image'] }
    await world.addModels([
      ...Object.entries(embedders).map(([upstream, prices]) =>
        embeddingModel(idOf(upstream), vendor, { prices, upstream, ...read }),
      ),
      embeddingModel('amazon/titan-embed-text-v2', vendor),
      ...Object.entries(painters).map(([upstream, usd]) =>
        imageModel(idOf(upstream), vendor, { upstream, pricing: { per_image_output: usd } }),
      ),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playInvokeModel({ secret }))
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const embed = (upstream: string, body: JsonObject) =>
    world.post(caller, '/v1/embeddings', { model: idOf(upstream), ...body })
  const draw = (upstream: string, body: JsonObject = {}) =>
    world.post(caller, '/v1/images/generations', { model: idOf(upstream), prompt: 'A fox', ...body })
  const bodies = () => world.upstream.calls.map(({ json }) => json)

  describe('embeddings', () => {
    it.each<[string, JsonObject, JsonObject[], number]>([
      ['amazon.titan-embed-text-v1', {}, [{ inputText: 'Hello there' }, { inputText: 'you' }], 0.0000003],
      [
        'amazon.titan-embed-text-v2:0',
        { dimensions: 256, normalize: false },
        [
          { inputText: 'Hello there', dimensions: 256, normalize: false },
          { inputText: 'you', dimensions: 256, normalize: false },
        ],
        0.00000006,
      ],
      [
        'amazon.nova-2-multimodal-embeddings-v1:0',
        { dimensions: 256, input_type: 'query' },
        ['Hello there', 'you'].map((value) => ({
          schemaVersion: 'nova-multimodal-embed-v1',
          taskType: 'SINGLE_EMBEDDING',
          singleEmbeddingParams: {
            embeddingPurpose: 'GENERIC_RETRIEVAL',
            embeddingDimension: 256,
            text: { truncationMode: 'NONE', value },
          },
        })),
        0.000000405,
      ],
      [
        'us.cohere.embed-v4:0',
        { dimensions: 256, input_type: 'query' },
        [
          {
            input_type: 'search_query',
            embedding_types: ['float'],
            output_dimension: 256,
            texts: ['Hello there', 'you'],
          },
        ],
        0.00000036,
      ],
    ])(
      'of %s are asked for in its maker’s form, signed, and charged by its count',
      async (upstream, body, sent, cost) => {
        const reply = await embed(upstream, { input: ['Hello there', 'you'], ...body })
        expect(reply.status, reply.text).toBe(200)
        expect(bodies()).toEqual(sent)
        expect(world.upstream.calls[0]?.path).toBe(`/model/${encodeURIComponent(upstream)}/invoke`)
        const length = typeof body.dimensions === 'number' ? body.dimensions : 8
        expect(vectorsOf(reply)).toEqual(['Hello there', 'you'].map((words) => vectorFor(words, length)))
        expect(reply.json.usage).toEqual({ prompt_tokens: 3, total_tokens: 3, cost })
        expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0' })
      },
    )

    it('of images are charged by the piece where that has a price', async () => {
      const titan = await embed('amazon.titan-embed-image-v1', {
        input: [{ content: [text('a fox'), image(pngUri)] }],
        dimensions: 256,
      })
      expect(titan.status, titan.text).toBe(200)
      const config = { embeddingConfig: { outputEmbeddingLength: 256 } }
      expect(bodies()).toEqual([{ inputText: 'a fox', inputImage: pngBase64, ...config }])
      expect(titan.json.usage).toMatchObject({ cost: 0.0000616 })
      const nova = await embed('amazon.nova-2-multimodal-embeddings-v1:0', { input: [{ content: [image(pngUri)] }] })
      expect(nova.status, nova.text).toBe(200)
      expect(bodies()[1]?.singleEmbeddingParams).toEqual({
        embeddingPurpose: 'GENERIC_INDEX',
        image: { format: 'png', source: { bytes: pngBase64 }, detailLevel: 'STANDARD_IMAGE' },
      })
      expect(nova.json.usage).toMatchObject({ cost: 0.00006 })
      const cohere = await embed('us.cohere.embed-v4:0', { input: [{ content: [text('a fox'), image(pngUri)] }] })
      expect(cohere.status, cohere.text).toBe(200)
      expect(bodies()[2]?.inputs).toEqual([{ content: [text('a fox'), { type: 'image_url', image_url: pngUri }] }])
      expect(cohere.json.usage).toMatchObject({ cost: 0.00003624 })
      await embed('cohere.embed-english-v3', { input: [{ content: [image(pngUri)] }] })
      expect(bodies()[3]).toEqual({ input_type: 'image', embedding_types: ['float'], images: [pngUri] })
    })

    it('behind an operator’s own profile have the form of the model that our id names', async () => {
      const reply = await world.post(caller, '/v1/embeddings', {
        model: 'amazon/titan-embed-text-v2',
        input: 'Hi',
        dimensions: 256,
      })
      // The simulator has no such profile, so only the request to it counts.
      expect(reply.status).toBe(502)
      expect(world.upstream.calls[0]).toMatchObject({
        path: `/model/${encodeURIComponent(profile)}/invoke`,
        json: { inputText: 'Hi', dimensions: 256 },
      })
    })

    it('are refused where the model cannot be told of a wish, and other fields are named', async () => {
      const short = await embed('amazon.titan-embed-text-v1', { input: 'Hi', dimensions: 256 })
      expect([short.status, codeOf(short)], short.text).toEqual([400, 'unsupported_param'])
      const both = { content: [text('a fox'), image(pngUri)] }
      const mixed = await embed('amazon.nova-2-multimodal-embeddings-v1:0', { input: [both] })
      expect([mixed.status, codeOf(mixed)], mixed.text).toEqual([400, 'unsupported_param'])
      expect(world.upstream.calls).toEqual([])
      const named = await embed('amazon.titan-embed-text-v2:0', { input: 'Hi', input_type: 'query', user: 'u' })
      expect(named.headers.get('x-params-ignored')).toBe('input_type, user')
    })

    it.each([
      [400, 'ValidationException', 'Expected maxLength: 8192', [400, 'unknown_4xx']],
      [
        403,
        'AccessDeniedException',
        "You don't have access to the model with the specified model ID.",
        [502, 'upstream_unavailable'],
      ],
      [429, 'ThrottlingException', 'Too many requests', [429, 'upstream_rate_limited']],
    ])('that Bedrock refuses with %i %s are refused in the gateway’s words', async (status, type, message, refusal) => {
      world.upstream.play(() => invokeError(status, type, message))
      const reply = await embed('amazon.titan-embed-text-v2:0', { input: 'Hi' })
      expect([reply.status, codeOf(reply)], reply.text).toEqual(refusal)
      expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
    })
  })

  describe('images', () => {
    it('of Nova are of any size, many at once, and told a quality by the catalogue alone', async () => {
      const asked = { n: 2, size: '1280x720', quality: 'premium', seed: 7, negative_prompt: 'dogs' }
      const reply = await draw('us.amazon.nova-canvas-v1:0', asked)
      expect(reply.status, reply.text).toBe(200)
      expect(bodies()).toEqual([
        {
          taskType: 'TEXT_IMAGE',
          textToImageParams: { text: 'A fox', negativeText: 'dogs' },
          imageGenerationConfig: { numberOfImages: 2, width: 1_280, height: 720, seed: 7 },
        },
      ])
      expect(reply.headers.get('x-params-ignored')).toBe('quality')
      expect(reply.json.usage).toMatchObject({ cost: 0.12 })
    })

    it('of Titan are of the nearest size that it makes', async () => {
      const reply = await draw('amazon.titan-image-generator-v2:0', { size: '1920x1080' })
      expect(reply.status, reply.text).toBe(200)
      expect(bodies()[0]?.imageGenerationConfig).toEqual({ numberOfImages: 1, width: 1_152, height: 640 })
      expect(reply.json.usage).toMatchObject({ cost: 0.008 })
    })

    it('start from uploaded files, which the signature covers', async () => {
      const form = formOf({ model: idOf('us.amazon.nova-canvas-v1:0'), prompt: 'Bluer' }, [madePng, madePng])
      const reply = await world.post(caller, '/v1/images/edits', form)
      expect(reply.status, reply.text).toBe(200)
      const base64 = madePng.toString('base64')
      expect(bodies()).toEqual([
        {
          taskType: 'IMAGE_VARIATION',
          imageVariationParams: { images: [base64, base64], text: 'Bluer' },
          imageGenerationConfig: { numberOfImages: 1 },
        },
      ])
    })

    it.each<[string, JsonObject, JsonObject, number]>([
      ['stability.sd3-5-large-v1:0', { size: '1792x1024' }, { prompt: 'A fox', aspect_ratio: '16:9' }, 0.08],
      ['stability.stable-image-core-v1:1', { strength: 0.3 }, { prompt: 'A fox' }, 0.04],
    ])('of %s are made from words', async (upstream, body, sent, cost) => {
      const reply = await draw(upstream, body)
      expect(reply.status, reply.text).toBe(200)
      expect(bodies()).toEqual([sent])
      expect(reply.json.usage).toMatchObject({ cost })
    })

    it.each<[string, number, JsonObject]>([
      ['stability.sd3-5-large-v1:0', 1, { prompt: 'Bluer', mode: 'image-to-image', strength: 0.5, image: 'png' }],
      ['stability.stable-fast-upscale-v1:0', 1, { image: 'png' }],
      ['stability.stable-image-inpaint-v1:0', 2, { prompt: 'Bluer', image: 'png', mask: 'png' }],
    ])('of %s start from %i images', async (upstream, count, sent) => {
      const files = Array.from({ length: count }, () => madePng)
      const reply = await world.post(
        caller,
        '/v1/images/edits',
        formOf({ model: idOf(upstream), prompt: 'Bluer' }, files),
      )
      expect(reply.status, reply.text).toBe(200)
      const base64 = madePng.toString('base64')
      expect(bodies()).toEqual([
        Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value === 'png' ? base64 : value])),
      ])
    })

    it.each([
      [
        'us.amazon.nova-canvas-v1:0',
        { body: { images: [], error: 'All images were blocked by our content filters.' } },
      ],
      [
        'us.amazon.nova-canvas-v1:0',
        invokeError(400, 'ValidationException', 'This request has been blocked by our content filters.'),
      ],
      ['stability.sd3-5-large-v1:0', { body: { finish_reasons: ['Filter reason: prompt'] } }],
    ])('of %s that are refused for their content are 403, and nothing is charged', async (upstream, answer) => {
      world.upstream.play(() => answer)
      const reply = await draw(upstream)
      expect([reply.status, codeOf(reply)], reply.text).toEqual([403, 'content_moderation'])
      expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
    })

    it('that failed, or never came, are 502', async () => {
      for (const body of [{ finish_reasons: ['Inference error'] }, { images: [] }, {}]) {
        world.upstream.play(() => ({ body }))
        expect((await draw('stability.stable-image-core-v1:1')).status).toBe(502)
      }
      world.upstream.play(() => ({ body: { images: [] } }))
      expect((await draw('us.amazon.nova-canvas-v1:0')).status).toBe(502)
    })
  })
})
