import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import { gptImageUsage, playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { codeOf, imageModel, proxyUrl, urlsOf } from './images-world.ts'

const model = 'openai/gpt-image-1-mini'
const uri = `data:image/png;base64,${pngOf().toString('base64')}`

describe('POST /v1/images/generations', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages())
    await world.addModels([
      imageModel(model, 'openai'),
      imageModel('maker/two-at-most', 'openai', { image: { max_n: 2, max_input_references: 2 } }),
      imageModel('maker/words-only', 'openai', { inputs: ['text'] }),
      imageModel('maker/talker', 'openai', {
        kind: 'chat',
        outputs: ['text'],
        pricing: { prompt: '0.001', completion: '0.001' },
      }),
      imageModel('maker/vectors', 'openai', {
        kind: 'embedding',
        outputs: ['embeddings'],
        pricing: { prompt: '0.0001' },
      }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playOpenAiImages())
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const ask = (body: object) => world.post(caller, '/v1/images/generations', { model, prompt: 'A fox', ...body })
  const sent = () => world.upstream.calls.map(({ json }) => json)

  it('[IMG-07] [IMG-10] answers with the time and with addresses under the proxy, never with base64', async () => {
    const reply = await ask({})
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys(reply.json)).toEqual(['created', 'data', 'usage'])
    expect(reply.json.created).toBeTypeOf('number')
    expect(Number.isInteger(reply.json.created)).toBe(true)
    expect(urlsOf(reply)).toEqual([expect.stringMatching(proxyUrl)])
    expect(reply.text).not.toContain('b64_json')
    const image = await world.fetchOwn(urlsOf(reply)[0] ?? '')
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(image.bytes).toEqual(pngOf({ width: 8, height: 4 }))
  })

  it('[IMG-10] keeps images that an upstream gives by address, and shows ours alone', async () => {
    world.upstream.play(playOpenAiImages({ as: 'address' }))
    const reply = await ask({})
    expect(urlsOf(reply)).toEqual([expect.stringMatching(proxyUrl)])
    expect(reply.text).not.toContain('/made/')
  })

  it('[IMG-09] makes one image unless it is asked for more', async () => {
    expect(urlsOf(await ask({}))).toHaveLength(1)
    expect(sent()).toEqual([{ model: 'gpt-image-1-mini', prompt: 'A fox' }])
    const two = await ask({ n: 2 })
    expect(new Set(urlsOf(two)).size).toBe(2)
    expect(sent()[1]).toMatchObject({ n: 2 })
  })

  it('[IMG-08] gives the upstream the nearest size that its model makes', async () => {
    await ask({ size: '1024x1024' })
    await ask({ size: '1920x1080' })
    await ask({ size: '9:16' })
    await ask({ size: 'auto' })
    expect(sent().map(({ size }) => size)).toEqual(['1024x1024', '1536x1024', '1024x1536', undefined])
  })

  it('passes on what the host knows and nothing that it would refuse', async () => {
    const reply = await ask({
      quality: 'high',
      background: 'transparent',
      response_format: 'url',
      webhook: 'https://a.example',
    })
    expect(reply.status).toBe(200)
    expect(sent()).toEqual([{ model: 'gpt-image-1-mini', prompt: 'A fox', quality: 'high', background: 'transparent' }])
  })

  it('starts from images that are named in the body, as the host wants to have them', async () => {
    const reply = await ask({ image: [uri, uri] })
    expect(reply.status, reply.text).toBe(200)
    const [call] = world.upstream.calls
    expect(call?.path).toBe('/v1/images/edits')
    expect(call?.bytes.toString('latin1').split(pngOf().toString('latin1'))).toHaveLength(3)
  })

  it('shows what was counted and what it cost', async () => {
    await world.addModels([
      imageModel('openai/counted', 'openai', {
        pricing: { prompt: '0.000005', image_input_token: '0.00001', image_output_token: '0.00004' },
      }),
    ])
    world.upstream.play(playOpenAiImages({ usage: gptImageUsage }))
    const reply = await ask({ model: 'openai/counted', image: uri })
    expect(reply.json.usage).toEqual({
      input_tokens: 50,
      output_tokens: 1_056,
      total_tokens: 1_106,
      input_tokens_details: { text_tokens: 10, image_tokens: 40 },
      cost: 0.04269,
    })
  })

  it.each([
    ['[ERR-36] no prompt', { prompt: undefined }, 'missing_prompt'],
    ['[ERR-36] an empty prompt', { prompt: '  ' }, 'missing_prompt'],
    ['[ERR-41] n of 0', { n: 0 }, 'invalid_n'],
    ['[ERR-41] a negative n', { n: -1 }, 'invalid_n'],
    ['[ERR-41] a part of an image', { n: 1.5 }, 'invalid_n'],
    ['[ERR-41] n in words', { n: 'two' }, 'invalid_n'],
    ['[ERR-41] more than any model makes', { n: 11 }, 'invalid_n'],
    ['[ERR-41] more than this model makes', { model: 'maker/two-at-most', n: 3 }, 'invalid_n'],
    ['[ERR-35] base64', { response_format: 'b64_json' }, 'unsupported_response_format'],
    ['[ERR-31] an image by http', { image: 'http://a.example/b.png' }, 'invalid_image_url'],
    ['[ERR-31] an image that is no address', { image_url: 'picture' }, 'invalid_image_url'],
    ['[ERR-31] an image that is a number', { image: 7 }, 'invalid_image_url'],
    ['[ERR-39] an image that is none', { image: 'data:image/png;base64,aGVsbG8gdGhlcmU=' }, 'invalid_image_type'],
    ['[ERR-38] nine images', { image: Array.from({ length: 9 }, () => uri) }, 'too_many_images'],
    [
      '[ERR-38] more images than the model takes',
      { model: 'maker/two-at-most', image: [uri, uri, uri] },
      'too_many_images',
    ],
    [
      '[ERR-32] images for a model that takes none',
      { model: 'maker/words-only', image: uri },
      'input_images_not_supported',
    ],
    ['[ERR-28] a model that talks', { model: 'maker/talker' }, 'model_endpoint_mismatch'],
    ['[ERR-28] a model of embeddings', { model: 'maker/vectors' }, 'model_endpoint_mismatch'],
    ['[ERR-44] a model of videos', { model: 'google/veo-3.1' }, 'wrong_endpoint_for_video'],
    ['no model', { model: undefined }, 'missing_required_field'],
    ['a size that no image has', { size: '0x0' }, 400],
    ['a stream that is neither on nor off', { stream: 'perhaps' }, 400],
  ])('refuses %s and charges nothing', async (_, body, code) => {
    const reply = await ask(body)
    expect([reply.status, codeOf(reply)], reply.text).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
  })
})
