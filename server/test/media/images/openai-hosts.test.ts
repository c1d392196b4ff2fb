import { describe, expect, it } from 'vitest'
import { azure } from '#providers/vendors/azure/index.ts'
import { deepinfra } from '#providers/vendors/deepinfra/index.ts'
import { fireworks } from '#providers/vendors/fireworks/index.ts'
import { nebius } from '#providers/vendors/nebius/index.ts'
import { openai } from '#providers/vendors/openai/index.ts'
import { openrouter } from '#providers/vendors/openrouter/index.ts'
import { ownKeyVendor } from '#providers/own-key-vendor.ts'
import { recraft } from '#providers/vendors/recraft/index.ts'
import { siliconflow } from '#providers/vendors/siliconflow/index.ts'
import { together } from '#providers/vendors/together/index.ts'
import { venice } from '#providers/vendors/venice/index.ts'
import { xai } from '#providers/vendors/xai/index.ts'
import { zAi } from '#providers/vendors/zhipu/index.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import {
  fieldsOf,
  filesOf,
  gptImageUsage,
  openAiImageError,
  playOpenAiImages,
} from '#test/simulators/media/images/openai-images.ts'
import { imageTask, targetOf } from '#test/twins/ours/ask-media.ts'
import {
  base64Of,
  dataInput,
  fileInput,
  hostileAnswers,
  memoryFile,
  type Order,
  urlInput,
  useHost,
} from '../image-hosts/host-world.ts'

const square = { size: { width: 1_024, height: 1_024 } }
const wide = { size: { width: 1_920, height: 1_080 } }
const dataUri = `data:image/png;base64,${base64Of('data bytes')}`
const fileUri = `data:image/png;base64,${base64Of('file bytes')}`
const url = 'https://pictures.example/one.png'
const gpt = { model: 'gpt-image-1' }

const imageAt = () => memoryFile('fetched bytes')
const blocked = () => openAiImageError(400, 'moderation_blocked', 'Rejected by the safety system.')
const limited = () => ({ status: 429, headers: { 'retry-after': '2' }, body: { error: { message: 'slow down' } } })
const inside = () => ({ status: 200, body: { error: { message: 'overloaded', code: 503 } } })
const filtered = () => ({ headers: { 'finish-reason': 'CONTENT_FILTERED' }, body: madePng })

describe('OpenAI', () => {
  const host = useHost(openai, '/v1')

  it('is never told `response_format` for gpt-image, and counts tokens by kind', async () => {
    const { result } = await host.make(playOpenAiImages({ usage: gptImageUsage }), { ...gpt, ...wide, quality: 'high' })
    expect(host.calls()[0]).toMatchObject({
      path: '/v1/images/generations',
      headers: { authorization: 'Bearer secret' },
    })
    expect(host.calls()[0]?.json).toEqual({
      model: 'gpt-image-1',
      prompt: 'a fox',
      size: '1536x1024',
      quality: 'high',
    })
    expect(result.usage).toMatchObject({
      uncachedInput: 10,
      imageOutput: 1_056,
      textOutput: 0,
      media: { outputImages: 1, inputImageTokens: 40, variant: { size: '1920x1080', quality: 'high' } },
    })
    expect(result.usage?.media).not.toHaveProperty('inputImages')
  })

  it('is asked one by one for models that make one at a time, and the whole is counted', async () => {
    const usage = { input_tokens: 5, output_tokens: 7 }
    const { result } = await host.make(playOpenAiImages({ usage }), { model: 'dall-e-3', count: 3, ...square })
    expect(host.calls().map(({ json }) => json)).toEqual(
      Array.from({ length: 3 }, () => ({
        model: 'dall-e-3',
        prompt: 'a fox',
        size: '1024x1024',
        response_format: 'b64_json',
      })),
    )
    expect(result.images).toHaveLength(3)
    expect(result.usage).toMatchObject({ uncachedInput: 15, imageOutput: 21, media: { outputImages: 3 } })
  })

  it.each<[string, Partial<Order>, string | undefined]>([
    ['dall-e-2', { size: { width: 600, height: 600 } }, '512x512'],
    ['gpt-image-1.5', { aspectRatio: '16:9' }, '1536x1024'],
    ['gpt-image-2', { size: { width: 1_000, height: 1_000 } }, '1008x1008'],
    ['gpt-image-2', { extras: { resolution: '2K' } }, '2048x2048'],
    ['gpt-image-2', { extras: { resolution: '2K' }, aspectRatio: '16:9' }, '2736x1536'],
    ['gpt-image-2', {}, undefined],
    ['gpt-image-1', { details: { image: { sizes: ['512x512', '2048x2048'] } }, ...square }, '512x512'],
  ])('[IMG-08] %s is asked for a size that it makes', async (model, order, size) => {
    await host.make(playOpenAiImages(), { model, ...order })
    expect(host.calls()[0]?.json['size']).toBe(size)
  })

  it('[EDIT-01] is sent images as files of a form, wherever they come from', async () => {
    const order = { ...gpt, count: 2, inputs: [fileInput, dataInput, urlInput], imageAt }
    const { result, fetched } = await host.make(playOpenAiImages(), order)
    const [call] = host.calls()
    if (call === undefined) throw new Error('nobody was asked')
    expect(call.path).toBe('/v1/images/edits')
    expect(Object.fromEntries(fieldsOf(call))).toEqual({ model: 'gpt-image-1', prompt: 'a fox', n: '2' })
    expect(filesOf(call).map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['image[]', 'file bytes'],
      ['image[]', 'data bytes'],
      ['image[]', 'fetched bytes'],
    ])
    expect(fetched).toEqual([url])
    expect(result.usage?.media).toMatchObject({ outputImages: 2, inputImages: 3 })
  })

  it('is told what it is known to take and nothing else', async () => {
    const extras = { background: 'opaque', style: { a: 1 }, moderation: 'low', callback_url: 'https://a.example' }
    await host.make(playOpenAiImages(), { ...gpt, extras })
    expect(host.calls()[0]?.json).toEqual({ model: 'gpt-image-1', prompt: 'a fox', background: 'opaque' })
    const asked = { provider: 'openai', model: 'gpt-image-1' } as const
    const ignored = openai.media?.image?.ignored?.(imageTask({ extras }), targetOf(asked))
    expect(ignored).toEqual(['moderation', 'callback_url'])
  })

  it('gives more than was asked for to nobody', async () => {
    const { result } = await host.make(playOpenAiImages({ count: 4 }), gpt)
    expect(result.images).toHaveLength(1)
  })

  it('says what it refuses', async () => {
    expect(await host.refusalOf(playOpenAiImages({ refuse: blocked }), gpt)).toMatchObject({
      action: 'give-up',
      errorName: 'contentModeration',
    })
    expect(await host.refusalOf(playOpenAiImages({ refuse: limited }), gpt)).toMatchObject({
      errorName: 'upstreamRateLimited',
      retryAfterMs: 2_000,
    })
    expect(await host.refusalOf(playOpenAiImages({ refuse: inside }), gpt)).toMatchObject({
      errorName: 'upstreamUnavailable',
    })
  })

  it.each(hostileAnswers)('can not be used where it answers with %s', async (_, answer) => {
    expect(await host.isUnusable(() => answer, gpt)).toBe(true)
  })
})

describe('hosts that speak like OpenAI', () => {
  const hosts = {
    azure: useHost(azure, '/openai/v1'),
    together: useHost(together, '/v1'),
    nebius: useHost(nebius, '/v1'),
    deepinfra: useHost(deepinfra, '/v1/openai'),
    venice: useHost(venice, '/api/v1'),
    siliconflow: useHost(siliconflow, '/v1'),
    xai: useHost(xai, '/v1'),
    openrouter: useHost(openrouter, '/api/v1'),
    recraft: useHost(recraft, '/v1'),
    zai: useHost(zAi, '/api/paas/v4'),
    unknown: useHost(ownKeyVendor({ kind: 'protocol', protocol: 'openai' }, 'https://models.example/v1'), '/v1'),
  }
  const order = { model: 'm', ...wide, count: 2 }
  const head = { model: 'm', prompt: 'a fox' }

  it.each<[keyof typeof hosts, string, readonly object[]]>([
    ['azure', '/openai/v1/images/generations', [{ ...head, n: 2, size: '1920x1088' }]],
    ['together', '/v1/images/generations', [{ ...head, n: 2, width: 1_792, height: 1_008, response_format: 'base64' }]],
    [
      'nebius',
      '/v1/images/generations',
      Array.from({ length: 2 }, () => ({ ...head, width: 1_920, height: 1_088, response_format: 'b64_json' })),
    ],
    ['deepinfra', '/v1/openai/images/generations', [{ ...head, n: 2, size: '1920x1080', response_format: 'b64_json' }]],
    [
      'venice',
      '/api/v1/images/generations',
      Array.from({ length: 2 }, () => ({ ...head, size: '1920x1080', response_format: 'b64_json' })),
    ],
    ['siliconflow', '/v1/images/generations', [{ ...head, batch_size: 2, image_size: '1920x1080' }]],
    ['xai', '/v1/images/generations', [{ ...head, n: 2, aspect_ratio: '16:9', response_format: 'b64_json' }]],
    ['openrouter', '/api/v1/images', Array.from({ length: 2 }, () => ({ ...head, aspect_ratio: '16:9' }))],
    ['recraft', '/v1/images/generations', [{ ...head, n: 2, size: '1820x1024', response_format: 'b64_json' }]],
    ['zai', '/api/paas/v4/images/generations', Array.from({ length: 2 }, () => ({ ...head, size: '1920x1088' }))],
    ['unknown', '/v1/images/generations', [{ ...head, n: 2, size: '1920x1080' }]],
  ])('[IMG-08] [IMG-09] %s is asked in its own words', async (name, path, bodies) => {
    const host = hosts[name]
    const { result } = await host.make(playOpenAiImages({ as: 'address' }), order)
    expect(host.calls().map((call) => call.path)).toEqual(bodies.map(() => path))
    expect(host.calls().map(({ json }) => json)).toEqual(bodies)
    expect(result.images).toHaveLength(2)
    expect(result.usage?.media).toMatchObject({ outputImages: 2, inputImages: 0 })
  })

  const inputs = [fileInput, dataInput, urlInput]
  it.each<[keyof typeof hosts, number, string, object]>([
    ['together', 1, '/v1/images/generations', { image_url: fileUri }],
    ['together', 3, '/v1/images/generations', { reference_images: [fileUri, dataUri, url] }],
    ['siliconflow', 2, '/v1/images/generations', { image: fileUri, image2: dataUri }],
    ['xai', 1, '/v1/images/edits', { image: { type: 'image_url', url: fileUri } }],
    [
      'xai',
      3,
      '/v1/images/edits',
      { images: [fileUri, dataUri, url].map((each) => ({ type: 'image_url', url: each })) },
    ],
    [
      'openrouter',
      3,
      '/api/v1/images',
      { input_references: [fileUri, dataUri, url].map((each) => ({ type: 'image_url', image_url: { url: each } })) },
    ],
  ])('%s gets %i images in its JSON', async (name, count, path, expected) => {
    const host = hosts[name]
    await host.make(playOpenAiImages(), { model: 'm', inputs: inputs.slice(0, count) })
    expect(host.calls()[0]?.path).toBe(path)
    expect(host.calls()[0]?.json).toMatchObject(expected)
  })

  it('Recraft gets one image in a form, and is told how far to go from it', async () => {
    await hosts.recraft.make(playOpenAiImages(), { model: 'recraftv3', inputs: [fileInput] })
    const [call] = hosts.recraft.calls()
    if (call === undefined) throw new Error('nobody was asked')
    expect(call.path).toBe('/v1/images/imageToImage')
    expect(fieldsOf(call).get('strength')).toBe('0.5')
    expect(filesOf(call).map(({ name }) => name)).toEqual(['image'])
  })

  it.each(['nebius', 'venice', 'zai'] as const)(
    '%s takes no images, which is said before it is asked',
    async (name) => {
      const making = hosts[name].make(playOpenAiImages(), { model: 'm', inputs: [fileInput] })
      await expect(making).rejects.toMatchObject({ errorName: 'inputImagesNotSupported' })
      expect(hosts[name].calls()).toEqual([])
    },
  )

  it('OpenRouter is asked for several at once where the catalogue says that the model makes them', async () => {
    await hosts.openrouter.make(playOpenAiImages(), { ...order, details: { image: { max_n: 4 } } })
    expect(hosts.openrouter.calls().map(({ json }) => json['n'])).toEqual([2])
  })
})

describe('Fireworks', () => {
  const host = useHost(fireworks, '/inference/v1')
  const name = 'accounts/fireworks/models/flux-1-dev-fp8'

  it('[IMG-08] answers FLUX with bytes, by ratio', async () => {
    const { result } = await host.make(() => ({ headers: { 'content-type': 'image/png' }, body: madePng }), {
      model: name,
      ...wide,
    })
    expect(host.calls()[0]).toMatchObject({
      path: `/inference/v1/workflows/${name}/text_to_image`,
      headers: { accept: 'image/png' },
    })
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', aspect_ratio: '16:9' })
    expect(result.images).toEqual([{ kind: 'bytes', bytes: madePng }])
  })

  it('answers older models with bytes, by pixels, and says where it filtered one', async () => {
    const order = { model: 'accounts/fireworks/models/ssd-1b', ...square }
    await host.make(() => ({ body: madePng }), order)
    expect(host.calls()[0]?.path).toBe('/inference/v1/image_generation/accounts/fireworks/models/ssd-1b')
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', width: 1_024, height: 1_024 })
    expect(await host.refusalOf(filtered, order)).toMatchObject({ errorName: 'contentModeration' })
  })

  it('answers Kontext with a task that is polled', async () => {
    let polls = 0
    const { result } = await host.make(
      ({ path }) => {
        if (!path.endsWith('/get_result')) return { body: { request_id: 'r-1' } }
        polls += 1
        return { body: polls < 3 ? { status: 'Pending' } : { status: 'Ready', result: { sample: url } } }
      },
      { model: 'accounts/fireworks/models/flux-kontext-pro', inputs: [dataInput] },
    )
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', input_image: dataUri })
    expect(host.calls().at(-1)?.json).toEqual({ id: 'r-1' })
    expect(result.images).toEqual([{ kind: 'url', url }])
    expect(result.usage?.media).toMatchObject({ outputImages: 1, inputImages: 1 })
  })
})
