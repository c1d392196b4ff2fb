import { describe, expect, it } from 'vitest'
import { replicate } from '#providers/vendors/replicate/index.ts'
import { playReplicate } from '#test/simulators/media/images/replicate.ts'
import { base64Of, dataInput, fileInput, hostileAnswers, urlInput, useHost } from './host-world.ts'

const host = useHost(replicate, '/v1')
const schnell = { model: 'black-forest-labs/flux-schnell' }
const id = 'rrr4z55ocneqzikepnug6xez0'

describe('a prediction at Replicate', () => {
  it('is waited for, then asked after by its id under the address we know', async () => {
    const { result, pausesMs } = await host.make(playReplicate(), { ...schnell, aspectRatio: '16:9' })
    expect(host.calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/models/black-forest-labs/flux-schnell/predictions',
      `GET /v1/predictions/${id}`,
      `GET /v1/predictions/${id}`,
      `GET /v1/predictions/${id}`,
    ])
    expect(host.calls()[0]?.headers).toMatchObject({ authorization: 'Bearer secret', prefer: 'wait' })
    expect(host.calls()[0]?.json).toEqual({ input: { prompt: 'a fox', aspect_ratio: '16:9' } })
    expect(pausesMs).toEqual([500, 750, 1_125])
    expect(result.images).toEqual([{ kind: 'url', url: expect.stringMatching(/\.png$/) }])
    expect(result.usage?.media).toEqual({ outputImages: 1, inputImages: 0, variant: {} })
  })

  it('is one exchange where it is made within the wait, and its output may be one text', async () => {
    const output = 'https://replicate.delivery/x/out-0.webp'
    const { result } = await host.make(playReplicate({ timeline: ['succeeded'], output }), schnell)
    expect(host.calls()).toHaveLength(1)
    expect(result.images).toEqual([{ kind: 'url', url: 'https://replicate.delivery/x/out-0.webp' }])
  })

  it('may put out data', async () => {
    const output = [`data:image/png;base64,${base64Of('png')}`]
    const { result } = await host.make(playReplicate({ timeline: ['succeeded'], output }), schnell)
    expect(result.images).toEqual([{ kind: 'base64', base64: base64Of('png') }])
  })

  it('[IMG-09] makes several at once where its model can, else they are made one after the other', async () => {
    const output = ['https://x.example/1.png', 'https://x.example/2.png']
    const script = { timeline: ['succeeded'], output }
    const { result } = await host.make(playReplicate(script), { ...schnell, count: 2 })
    expect(host.calls().map(({ json }) => json['input'])).toEqual([{ prompt: 'a fox', num_outputs: 2 }])
    expect(result.usage?.media?.outputImages).toBe(2)
    await host.make(playReplicate({ timeline: ['succeeded'] }), { model: 'google/imagen-4', count: 2 })
    expect(host.calls().map(({ json }) => json['input'])).toEqual([{ prompt: 'a fox' }, { prompt: 'a fox' }])
  })

  it('of a model by its version goes to the path of versions', async () => {
    await host.make(playReplicate(), { model: 'someone/painter:5c7d5dc6' })
    expect([host.calls()[0]?.path, host.calls()[0]?.json]).toEqual([
      '/v1/predictions',
      { version: '5c7d5dc6', input: { prompt: 'a fox' } },
    ])
  })
})

describe('[IMG-08] the form of an image', () => {
  const size = { width: 1_536, height: 1_024 }
  it.each([
    ['black-forest-labs/flux-schnell', { size }, { aspect_ratio: '3:2' }],
    ['black-forest-labs/flux-2-pro', { size }, { aspect_ratio: 'custom', width: 1_440, height: 960 }],
    ['black-forest-labs/flux-2-pro', { aspectRatio: '1:1' }, { aspect_ratio: '1:1' }],
    ['stability-ai/sdxl', { size: { width: 1_024, height: 1_024 } }, { width: 1_024, height: 1_024 }],
    ['stability-ai/stable-diffusion-3.5-large', { size }, { aspect_ratio: '3:2' }],
    ['someone/painter', {}, {}],
  ])('of %s asked as %j is %j', async (model, order, form) => {
    await host.make(playReplicate(), { model, ...order })
    expect(host.calls()[0]?.json).toEqual({ input: { prompt: 'a fox', ...form } })
  })
})

describe('images to start from', () => {
  const file = `data:image/png;base64,${base64Of('file bytes')}`
  it.each([
    [
      'black-forest-labs/flux-2-pro',
      [urlInput, fileInput],
      { input_images: ['https://pictures.example/one.png', file] },
    ],
    ['black-forest-labs/flux-kontext-pro', [fileInput], { input_image: file }],
    ['bytedance/seedream-4', [fileInput], { image_input: [file] }],
    ['someone/painter', [dataInput], { image: `data:image/png;base64,${base64Of('data bytes')}` }],
  ])('of %s', async (model, inputs, fields) => {
    const { result } = await host.make(playReplicate(), { model, inputs })
    expect(host.calls()[0]?.json).toEqual({ input: { prompt: 'a fox', ...fields } })
    expect(result.usage?.media?.inputImages).toBe(inputs.length)
  })

  it('are refused where a model starts from words alone, before it is asked', async () => {
    const order = { ...schnell, inputs: [urlInput] }
    await expect(host.make(playReplicate(), order)).rejects.toMatchObject({ errorName: 'inputImagesNotSupported' })
    expect(host.calls()).toHaveLength(0)
  })
})

it('passes on what the host knows of the other fields, and nothing that could call or unlock something', async () => {
  const extras = { seed: 7, disable_safety_checker: true, webhook: 'https://evil.example', replicate_weights: 'x' }
  await host.make(playReplicate(), { ...schnell, extras, details: { upstream_fixed_params: { go_fast: true } } })
  expect(host.calls()[0]?.json).toEqual({ input: { prompt: 'a fox', seed: 7, go_fast: true } })
})

describe('what comes to nothing', () => {
  it.each([
    'NSFW content detected. Try running it again, or try a different prompt.',
    'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
  ])('is refused content where it says %j', async (error) => {
    const refusal = await host.refusalOf(playReplicate({ timeline: ['starting', 'failed'], error }), schnell)
    expect(refusal).toMatchObject({ action: 'give-up', errorName: 'contentModeration' })
    expect(refusal.message).toContain(error)
  })

  it.each([
    ['failed', 'CUDA out of memory (E1001)'],
    ['canceled', ''],
    ['aborted', ''],
  ])('is tried elsewhere where it %s', async (status, error) => {
    const refusal = await host.refusalOf(playReplicate({ timeline: [status], error }), schnell)
    expect(refusal).toMatchObject({ action: 'fail-over', errorName: 'upstreamUnavailable' })
    expect(refusal.message).not.toContain('CUDA')
  })

  it.each([
    [
      422,
      { title: 'Input validation failed', detail: '- input.steps: Must be at most 4\n', status: 422 },
      'give-up',
      'unknownUpstream4xx',
    ],
    [
      401,
      { title: 'Unauthenticated', detail: 'You did not pass a token', status: 401 },
      'fail-over',
      'upstreamAuthFailed',
    ],
    [402, { title: 'Insufficient credit', detail: 'Buy some', status: 402 }, 'fail-over', 'upstreamUnavailable'],
    [404, { detail: 'The requested resource could not be found.', status: 404 }, 'fail-over', 'upstreamUnavailable'],
    [
      429,
      { detail: 'Request was throttled. Expected available in 1 second.', status: 429 },
      'retry',
      'upstreamRateLimited',
    ],
    [500, { error: 'Internal' }, 'retry', 'upstreamUnavailable'],
  ])('a submit refused with %i %j', async (status, body, action, errorName) => {
    const refusal = await host.refusalOf(playReplicate({ refuse: () => ({ status, body }) }), schnell)
    expect(refusal).toMatchObject({ action, errorName })
    if (status === 422) expect(refusal.message).toBe('- input.steps: Must be at most 4')
  })
})

describe('a hostile answer', () => {
  it.each(hostileAnswers)('to a submit: %s', async (_, answer) => {
    expect(await host.isUnusable(playReplicate({ refuse: () => answer }), schnell)).toBe(true)
  })

  it('that names another address for its polls is not followed', async () => {
    const accepted = { urls: { get: 'https://evil.example/steal' } }
    const { result } = await host.make(playReplicate({ accepted }), schnell)
    expect(result.images).toHaveLength(1)
    expect(host.calls().every(({ path }) => path.startsWith('/v1/'))).toBe(true)
  })

  it.each([[null], [7], [{}], [''], [[null]], [['javascript:alert(1)']]])('that puts out %j', async (output) => {
    const script = { timeline: ['succeeded'], output }
    expect(await host.isUnusable(playReplicate(script), schnell)).toBe(true)
  })
})
