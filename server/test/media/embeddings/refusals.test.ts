import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { openAiShaped, refusal } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { embeddingModel, image, pngUri, text } from './embeddings-world.ts'

const model = 'openai/text-embedding-3-large'

describe('what POST /v1/embeddings refuses', () => {
  let world: MediaWorld
  let caller: Awaited<ReturnType<MediaWorld['createClient']>>
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiShaped())
    await world.addModels([
      embeddingModel(model, 'openai'),
      embeddingModel('openai/pictures', 'openai', { inputs: ['text', 'image'] }),
    ])
    caller = await world.createClient({ usd: '1' })
  })
  beforeEach(() => {
    world.upstream.play(openAiShaped())
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const ask = (body: JsonObject) => world.post(caller, '/v1/embeddings', { model, ...body })

  it.each(['openai/gpt-5.2', 'test/echo'])(
    '[ERR-28] the chat model %s: 400 model_endpoint_mismatch, with the right place',
    async (chatModel) => {
      const reply = await ask({ model: chatModel, input: 'Hello' })
      expect(reply.status).toBe(400)
      expect(reply.json).toMatchObject({ error: { code: 'model_endpoint_mismatch', type: 'invalid_request_error' } })
      expect(reply.text).toContain('POST /v1/chat/completions')
      expect(reply.text).toContain('output_modalities=embeddings')
    },
  )

  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
    '[ERR-29] an embedding model on %s: 400 embedding_on_chat_endpoint, with the right place',
    async (path) => {
      const body = { model, input: 'Hello', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 }
      const reply = await world.post(caller, path, body)
      expect(reply.status).toBe(400)
      expect(reply.json).toMatchObject({ error: { code: 'embedding_on_chat_endpoint' } })
      expect(reply.text).toContain('POST /v1/embeddings')
    },
  )

  it('[EMB-03] [ERR-32] image items on a model of text alone: 400', async () => {
    const reply = await ask({ input: [{ content: [text('a cat'), image(pngUri)] }] })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code: 'input_images_not_supported' } })
    expect(world.upstream.calls).toEqual([])
  })

  it.each([
    ['http', image('http://pictures.example/a.png'), 'invalid_image_url'],
    ['file', image('file:///etc/passwd'), 'invalid_image_url'],
    ['nothing', { type: 'image_url' }, 'invalid_image_url'],
    ['a data URI that is not base64', image('data:image/png,abc'), 'invalid_image_url'],
    ['an SVG', image(`data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`), 'invalid_image_type'],
    [
      'text that says it is PNG',
      image(`data:image/png;base64,${Buffer.from('hello world!').toString('base64')}`),
      'invalid_image_type',
    ],
  ])('[ERR-31] [ERR-39] an image that is %s', async (_what, part, code) => {
    const reply = await ask({ model: 'openai/pictures', input: [{ content: [part] }] })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code } })
    expect(reply.text).toContain('input[0].content[0].image_url.url')
  })

  it.each([
    ['[ERR-06] no input', {}, 'missing_required_field', 'input'],
    ['[ERR-06] null', { input: null }, 'missing_required_field', 'input'],
    ['an empty text', { input: '' }, 400, 'empty string'],
    ['an empty list', { input: [] }, 400, 'at least one'],
    ['an empty text among others', { input: ['a', ''] }, 400, 'input[1]'],
    ['an empty list of tokens', { input: [[1], []] }, 400, 'input[1]'],
    ['tokens that are none', { input: [1, 2.5] }, 400, 'token ids'],
    ['negative tokens', { input: [[-1]] }, 400, 'token ids'],
    ['tokens and texts', { input: ['a', [1]] }, 400, 'one form'],
    ['a number', { input: 5 }, 400, 'must be a string'],
    ['a boolean in a list', { input: [true] }, 400, 'input[0]'],
    ['an item without content', { input: [{ text: 'a' }] }, 400, 'content'],
    ['an item with an unknown part', { input: [{ content: [{ type: 'video_url' }] }] }, 400, 'content[0]'],
    ['2,049 inputs', { input: Array.from({ length: 2_049 }, () => 'a') }, 400, '2048'],
    ['a length of zero', { input: 'a', dimensions: 0 }, 400, 'dimensions'],
    ['a form that is no text', { input: 'a', encoding_format: 1 }, 400, 'encoding_format'],
    ['a provider that is no object', { input: 'a', provider: 'openai' }, 400, 'provider'],
  ])('%s: 400 that says what to do', async (_what, body: JsonObject, code, words) => {
    const reply = await ask(body)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code } })
    expect(reply.text).toContain(words)
    expect(world.upstream.calls).toEqual([])
  })

  it('[ERR-06] a request without a model: 400 missing_required_field', async () => {
    const reply = await world.post(caller, '/v1/embeddings', { input: 'a' })
    expect(reply.json).toMatchObject({ error: { code: 'missing_required_field' } })
  })

  it('passes on what the upstream says of an input that is too long, unbilled', async () => {
    world.upstream.play(() =>
      refusal(400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.", null),
    )
    const reply = await ask({ input: 'long' })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code: 'context_too_long' } })
    expect(reply.text).toContain('8192')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('a wallet without credits: 402 before anybody is asked', async () => {
    const poor = await world.createClient({ usd: '0' })
    const reply = await world.post(poor, '/v1/embeddings', { model, input: 'Hello' })
    expect(reply.status).toBe(402)
    expect(world.upstream.calls).toEqual([])
  })
})
