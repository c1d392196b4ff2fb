import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { objectAt } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import { geminiImageUsage, playGeminiImages } from '#test/simulators/media/images/gemini-images.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { codeOf, imageModel, proxyUrl } from './images-world.ts'

const gemini = 'google/gemini-draws'
const relayed = 'maker/relayed'
const bridged = 'maker/pictures-only'
const png = `data:image/png;base64,${pngOf().toString('base64')}`
const drawn = `data:image/png;base64,${madePng.toString('base64')}`
const text = (words: string): JsonObject => ({ type: 'text', text: words })
const image = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } })
const both = { pricing: { prompt: '0.0000003', completion: '0.0000025', image_output_token: '0.00003' } }
const draws = { kind: 'chat', outputs: ['text', 'image'], ...both }

const uriOf = (byteCount: number): string => png + 'A'.repeat(byteCount - png.length)
const messageOf = ({ json }: Reply): unknown => objectAt(Object(json.choices)[0] ?? {}, 'message')
const imagesIn = (reply: Reply): unknown[] =>
  reply.chunks.flatMap(({ choices }) =>
    (Array.isArray(choices) ? choices : []).flatMap((choice) => Object(Object(choice).delta).images ?? []),
  )

describe('images on POST /v1/chat/completions', () => {
  let world: MediaWorld
  let openai: MediaUpstream
  let openrouter: MediaUpstream
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'google-ai-studio', path: '/v1' }, playGeminiImages())
    openai = await startMediaUpstream(playOpenAiImages())
    openrouter = await startMediaUpstream(() => ({ body: relayedAnswer }))
    await world.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: bridged, name: 'openai' })
    await world.addProvider({ vendor: 'openrouter', url: `${openrouter.url}/api/v1`, pattern: relayed, name: 'or' })
    await world.addModels([
      imageModel(gemini, 'google-ai-studio', draws),
      imageModel(relayed, 'openrouter', draws),
      imageModel(bridged, 'openai', { pricing: { per_image_output: '0.04' } }),
      imageModel('maker/talker', 'google-ai-studio', { ...draws, inputs: ['text'], outputs: ['text'] }),
      imageModel('maker/blind', 'google-ai-studio', { ...draws, inputs: ['text'] }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playGeminiImages())
    openai.play(playOpenAiImages())
    for (const { calls } of [world.upstream, openai, openrouter]) calls.length = 0
  })
  afterAll(async () => {
    await openai.close()
    await openrouter.close()
    await world.close()
  })

  const relayedAnswer = {
    id: 'gen-1',
    model: 'maker/relayed',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Here.', images: [{ type: 'image_url', image_url: { url: drawn } }] },
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 1_300,
      total_tokens: 1_310,
      completion_tokens_details: { image_tokens: 1_290 },
    },
  }

  const chat = (body: object, headers: Record<string, string> = {}): Promise<Reply> =>
    world.post(
      caller,
      '/v1/chat/completions',
      { model: gemini, messages: [{ role: 'user', content: 'A fox' }], modalities: ['image', 'text'], ...body },
      headers,
    )

  it.each([[['image', 'text']], [['image']]])(
    '[IMG-01] [IMG-03] %s of a model that draws is an image in the message',
    async (modalities) => {
      const reply = await chat({ modalities })
      expect(reply.status, reply.text).toBe(200)
      expect(messageOf(reply)).toEqual({
        role: 'assistant',
        content: 'Here it is.',
        images: [{ type: 'image_url', image_url: { url: drawn } }],
      })
      expect(world.upstream.calls[0]?.json['generationConfig']).toMatchObject({
        responseModalities: modalities.map((name) => name.toUpperCase()),
      })
      // 270 × 0.0000003 + 10 × 0.0000025 + 1,290 × 0.00003
      expect(objectAt(reply.json, 'usage')).toMatchObject({
        cost: 0.038806,
        completion_tokens_details: { image_tokens: 1_290 },
      })
    },
  )

  it('[IMG-02] is an ordinary chunk of a stream, and never a named event', async () => {
    const reply = await chat({ stream: true })
    expect(imagesIn(reply)).toEqual([{ type: 'image_url', image_url: { url: drawn } }])
    expect(reply.text).not.toContain('event:')
    expect(reply.chunks.at(-1)).toMatchObject({ usage: { cost: 0.038806 } })
    expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('[IMG-01] [IMG-03] is passed on from hosts that speak chat themselves', async () => {
    const reply = await chat({ model: relayed })
    expect(messageOf(reply)).toMatchObject({ images: [{ type: 'image_url', image_url: { url: drawn } }] })
    expect(openrouter.calls[0]?.json).toMatchObject({ modalities: ['image', 'text'] })
  })

  it('[IMG-02] is passed on from streams of theirs as well', async () => {
    const [choice] = relayedAnswer.choices
    const delta = { role: 'assistant', content: '', images: choice?.message.images }
    const frames = [
      { id: 'gen-1', choices: [{ index: 0, delta }] },
      { id: 'gen-1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: relayedAnswer.usage },
    ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    openrouter.play(() => ({
      headers: { 'content-type': 'text/event-stream' },
      body: `${frames.join('')}data: [DONE]\n\n`,
    }))
    const reply = await chat({ model: relayed, stream: true })
    expect(imagesIn(reply)).toEqual([{ type: 'image_url', image_url: { url: drawn } }])
    openrouter.play(() => ({ body: relayedAnswer }))
  })

  it('[IMG-01] [IMG-03] is made by a model that makes nothing else, whether or not images are asked for by name', async () => {
    for (const modalities of [['image'], ['image', 'text'], undefined]) {
      const reply = await chat({ model: bridged, modalities })
      expect(reply.status, reply.text).toBe(200)
      expect(messageOf(reply)).toEqual({
        role: 'assistant',
        content: null,
        images: [{ type: 'image_url', image_url: { url: expect.stringMatching(proxyUrl) } }],
      })
      expect(objectAt(reply.json, 'usage').cost).toBe(0.04)
    }
    expect(openai.calls[0]).toMatchObject({ path: '/v1/images/generations', json: { prompt: 'A fox' } })
  })

  it('[IMG-02] is a chunk with our address where such a model is streamed', async () => {
    const reply = await chat({ model: bridged, stream: true, n: 2 })
    expect(imagesIn(reply)).toEqual([
      { type: 'image_url', image_url: { url: expect.stringMatching(proxyUrl) } },
      { type: 'image_url', image_url: { url: expect.stringMatching(proxyUrl) } },
    ])
    expect(reply.chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { cost: 0.08 } })
  })

  it('reaches callers of the other two dialects too', async () => {
    const messages = [{ role: 'user', content: 'A fox' }]
    const spoken = await world.post(caller, '/v1/messages', { model: bridged, max_tokens: 10, messages })
    expect(spoken.json).toMatchObject({
      content: [{ type: 'image', source: { type: 'url', url: expect.stringMatching(proxyUrl) } }],
    })
    const responded = await world.post(caller, '/v1/responses', { model: bridged, input: 'A fox', stream: true })
    expect(responded.text).toContain('"type":"image_generation_call"')
    expect(responded.text).toMatch(/"result":"https:\/\/[^"]+\/v1\/images\/proxy\//)
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0.08', held: '0' })
  })

  it('[IMG-02] [IMG-13] [IMG-14] [IMG-15] are named events for callers who accept those', async () => {
    for (const model of [gemini, bridged]) {
      const reply = await chat({ model, stream: true }, { accept: 'text/event-stream' })
      const events = reply.events
      expect(events.map(({ event }) => event)).toEqual(['image', 'image-cached', 'usage', 'done'])
      expect(events[1]?.data.url).toMatch(proxyUrl)
      expect(events[2]?.data).toMatchObject({ imageCount: 1 })
      expect(reply.text).not.toContain('[DONE]')
    }
    const words = await chat({ model: gemini, modalities: undefined, stream: true }, { accept: 'text/event-stream' })
    expect(words.text.endsWith('data: [DONE]\n\n'), words.text).toBe(true)
  })

  it('[IMG-04] starts from up to eight images, as data URIs or addresses', async () => {
    const content = [text('Join them'), ...Array.from({ length: 8 }, () => image(png))]
    const reply = await chat({ messages: [{ role: 'user', content }] })
    expect(reply.status, reply.text).toBe(200)
    const byAddress = await chat({
      messages: [{ role: 'user', content: [text('This'), image('https://a.example/b.png')] }],
    })
    expect(byAddress.status, byAddress.text).toBe(200)
    const edited = await chat({ model: bridged, messages: [{ role: 'user', content: [text('Blue'), image(png)] }] })
    expect(edited.status, edited.text).toBe(200)
    expect(openai.calls[0]?.path).toBe('/v1/images/edits')
  })

  it('takes the form of an image from `image_config`', async () => {
    const imageConfig = { aspect_ratio: '16:9', quality: 'high' }
    await chat({ model: bridged, image_config: imageConfig })
    expect(openai.calls[0]?.json).toEqual({
      model: 'pictures-only',
      prompt: 'A fox',
      size: '1360x768',
      quality: 'high',
    })
    await chat({ model: gemini, image_config: { aspect_ratio: '16:9' } })
    expect(world.upstream.calls[0]?.json['generationConfig']).toMatchObject({ imageConfig: { aspectRatio: '16:9' } })
  })

  it.each<[string, object, string | number]>([
    ['[ERR-30] an image of a model that talks', { model: 'maker/talker' }, 'invalid_modality_for_model'],
    [
      '[ERR-30] words alone of a model that draws alone',
      { model: bridged, modalities: ['text'] },
      'invalid_modality_for_model',
    ],
    ['[ERR-30] sound of a model that has none', { modalities: ['audio'] }, 'invalid_modality_for_model'],
    ['[ERR-44] a model of videos', { model: 'google/veo-3.1' }, 'wrong_endpoint_for_video'],
  ])('refuses %s', async (_, body, code) => {
    const reply = await chat(body)
    expect([reply.status, codeOf(reply)], reply.text).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
  })

  it.each<[string, JsonObject[], string | number]>([
    ['[ERR-31] an image by http', [text('x'), image('http://a.example/b.png')], 'invalid_image_url'],
    ['[ERR-31] an image that is no address', [text('x'), image('my picture')], 'invalid_image_url'],
    ['[ERR-31] an image by ftp', [text('x'), image('ftp://a.example/b.png')], 'invalid_image_url'],
    ['[ERR-31] a data URI without base64', [text('x'), image('data:image/png,abc')], 'invalid_image_url'],
    [
      '[ERR-39] a data URI of a PDF',
      [text('x'), image('data:image/png;base64,JVBERi0xLjcKMSAwIG9iag==')],
      'invalid_image_type',
    ],
    [
      '[ERR-39] a drawing in SVG',
      [text('x'), image('data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=')],
      'invalid_image_type',
    ],
    ['[ERR-38] nine images', [text('x'), ...Array.from({ length: 9 }, () => image(png))], 'too_many_images'],
    ['[IMG-05] images without a word', [image(png)], 400],
  ])('refuses %s', async (_, content, code) => {
    const reply = await chat({ messages: [{ role: 'user', content }] })
    expect([reply.status, codeOf(reply)], reply.text).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
  })

  it('[ERR-32] refuses images for a model that does not see, whether or not one is asked for', async () => {
    for (const modalities of [['image'], undefined]) {
      const messages = [{ role: 'user', content: [text('x'), image(png)] }]
      expect(codeOf(await chat({ model: 'maker/blind', modalities, messages }))).toBe('input_images_not_supported')
    }
    const source = { type: 'url', url: 'https://a.example/b.png' }
    const messages = [{ role: 'user', content: [text('x'), { type: 'image', source }] }]
    const spoken = await world.post(caller, '/v1/messages', { model: 'maker/blind', max_tokens: 10, messages })
    expect(spoken.json).toMatchObject({ error: { code: 'input_images_not_supported' } })
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: source.url }] }]
    const responded = await world.post(caller, '/v1/responses', { model: 'maker/blind', input })
    expect(codeOf(responded)).toBe('input_images_not_supported')
  })

  it('lets nine images and none of the words pass where no image is asked for', async () => {
    const content = Array.from({ length: 9 }, () => image(png))
    const reply = await chat({ modalities: undefined, messages: [{ role: 'user', content }] })
    expect(reply.status, reply.text).toBe(200)
  })

  it('[IMG-06] takes one data URI of nine megabytes, and answers two of six with 413', async () => {
    const one = await chat({ messages: [{ role: 'user', content: [text('x'), image(uriOf(9_000_000))] }] })
    expect(one.status, one.text.slice(0, 300)).toBe(200)
    const two = await chat({
      messages: [{ role: 'user', content: [text('x'), image(uriOf(6_000_000)), image(uriOf(6_000_000))] }],
    })
    expect(two.status).toBe(413)
  })

  it('charges nothing where the model would not draw, and says so on either path', async () => {
    world.upstream.play(playGeminiImages({ parts: [], finishReason: 'IMAGE_SAFETY', usage: geminiImageUsage }))
    const reply = await chat({ stream: true }, { accept: 'text/event-stream' })
    expect(reply.text).toContain('content_moderation')
    world.upstream.play(playGeminiImages({ parts: [{ text: 'I would rather not.' }] }))
    const none = await chat({ stream: true }, { accept: 'text/event-stream' })
    expect(none.text).toContain('no_images')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })
})
