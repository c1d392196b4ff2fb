import { describe, expect, it } from 'vitest'
import { alibaba, alibabaCn } from '#providers/vendors/alibaba/index.ts'
import { nativeTarget } from '#providers/vendors/alibaba/native-target.ts'
import { dashscopeError, playDashscope } from '#test/simulators/media/images/dashscope.ts'
import { base64Of, dataInput, fileInput, hostileAnswers, urlInput, useHost } from './host-world.ts'

const host = useHost(alibaba, '/compatible-mode/v1')
const qwen = { model: 'qwen-image-2.0' }
const path = '/api/v1/services/aigc/multimodal-generation/generation'

describe('an image of DashScope', () => {
  it('is asked for on the native surface beside the compatible one, in one exchange', async () => {
    const { result } = await host.make(playDashscope(), { ...qwen, size: { width: 1_024, height: 768 }, count: 2 })
    const [call] = host.calls()
    expect([call?.method, call?.path, call?.headers.authorization]).toEqual(['POST', path, 'Bearer secret'])
    expect(call?.json).toEqual({
      model: 'qwen-image-2.0',
      input: { messages: [{ role: 'user', content: [{ text: 'a fox' }] }] },
      parameters: { size: '1024*768', watermark: false, n: 2 },
    })
    expect(result.images).toEqual([
      { kind: 'url', url: expect.stringMatching(/qwen-0\.png$/) },
      { kind: 'url', url: expect.stringMatching(/qwen-1\.png$/) },
    ])
    expect(result.usage?.media).toEqual({
      outputImages: 2,
      inputImages: 0,
      variant: { size: '1024x768', resolution: '1K' },
    })
  })

  it.each([
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'https://dashscope-intl.aliyuncs.com/api/v1'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1/', 'https://dashscope.aliyuncs.com/api/v1'],
    ['https://dashscope.aliyuncs.com/api/v1', 'https://dashscope.aliyuncs.com/api/v1'],
    ['https://proxy.example/dash', 'https://proxy.example/dash/api/v1'],
  ])('has its native surface from %s at %s', (baseUrl, native) => {
    const target = {
      authentication: alibaba.authentication,
      credential: null,
      upstreamModel: '',
      model: '',
      details: {},
    }
    expect(nativeTarget({ ...target, baseUrl }).baseUrl).toBe(native)
  })

  it('is made for both of its addresses by the same rules', () => {
    expect(alibabaCn.media?.image).toBe(alibaba.media?.image)
  })

  it('[IMG-09] is made as many times as its model needs', async () => {
    const { result } = await host.make(playDashscope(), { model: 'qwen-image-plus', count: 3 })
    expect(host.calls().map(({ json }) => json['parameters'])).toEqual(
      Array.from({ length: 3 }, () => ({ watermark: false, n: 1 })),
    )
    expect(result.usage?.media?.outputImages).toBe(3)
    await host.make(playDashscope(), { ...qwen, count: 8 })
    expect(host.calls().map(({ json }) => json['parameters'])).toMatchObject([{ n: 6 }, { n: 2 }])
  })
})

describe('[IMG-08] the form of an image', () => {
  it.each([
    ['qwen-image-2.0', { size: { width: 256, height: 256 } }, '512*512'],
    ['qwen-image-2.0', { size: { width: 4_096, height: 4_096 } }, '2048*2048'],
    ['qwen-image-2.0', { aspectRatio: '16:9' }, '1360*768'],
    ['qwen-image-2.0', { extras: { resolution: '2K' } }, '2048*2048'],
    ['qwen-image-plus', { size: { width: 1_024, height: 1_024 } }, '1328*1328'],
    ['qwen-image', { size: { width: 1_792, height: 1_024 } }, '1664*928'],
    ['wan2.6-t2i', { size: { width: 1_024, height: 1_024 } }, '1280*1280'],
  ])('of %s asked as %j is %s', async (model, order, size) => {
    await host.make(playDashscope(), { model, ...order })
    expect(host.calls()[0]?.json['parameters']).toMatchObject({ size })
  })
})

describe('images to start from', () => {
  it('stand in the message before the words', async () => {
    const { result } = await host.make(playDashscope(), { ...qwen, inputs: [urlInput, fileInput, dataInput] })
    expect(host.calls()[0]?.json['input']).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { image: 'https://pictures.example/one.png' },
            { image: `data:image/png;base64,${base64Of('file bytes')}` },
            { image: `data:image/png;base64,${base64Of('data bytes')}` },
            { text: 'a fox' },
          ],
        },
      ],
    })
    expect(result.usage?.media?.inputImages).toBe(3)
  })

  it.each([
    ['qwen-image', [urlInput], 'inputImagesNotSupported'],
    ['qwen-image-edit', [], 'missingImage'],
    ['qwen-image-edit', [urlInput, urlInput], 'tooManyImages'],
  ])('of %s are refused before it is asked', async (model, inputs, errorName) => {
    await expect(host.make(playDashscope(), { model, inputs })).rejects.toMatchObject({ errorName })
    expect(host.calls()).toHaveLength(0)
  })
})

it('knows the third generation by the name that the host gives it', async () => {
  for (const [model, upstream] of [
    ['qwen-image-3', 'qwen-image-3.0'],
    ['qwen-image-3-pro', 'qwen-image-3.0-pro'],
    ['qwen-image-3.0-pro', 'qwen-image-3.0-pro'],
  ] as const) {
    await host.make(playDashscope(), { model })
    expect(host.calls()[0]?.json['model']).toBe(upstream)
  }
})

it('passes on what the host knows of the other fields', async () => {
  await host.make(playDashscope(), {
    ...qwen,
    extras: { seed: 7, prompt_extend: false, watermark: true, callback: 'x' },
  })
  expect(host.calls()[0]?.json['parameters']).toEqual({ watermark: false, seed: 7, prompt_extend: false, n: 1 })
})

describe('what comes to nothing', () => {
  it.each([
    [400, 'DataInspectionFailed', 'Input data may contain inappropriate content.', 'give-up', 'contentModeration'],
    [
      400,
      'IPInfringementSuspect',
      'Input data is suspected of being involved in IP infringement.',
      'give-up',
      'contentModeration',
    ],
    [400, 'InvalidParameter', 'num_images_per_prompt must be 1', 'give-up', 'unknownUpstream4xx'],
    [
      400,
      'Arrearage',
      'Access denied, please make sure your account is in good standing.',
      'fail-over',
      'upstreamUnavailable',
    ],
    [401, 'InvalidApiKey', 'Invalid API-key provided.', 'fail-over', 'upstreamAuthFailed'],
    [403, 'AccessDenied', 'Current user api does not support synchronous calls.', 'fail-over', 'upstreamAuthFailed'],
    [404, 'ModelNotFound', 'Model can not be found.', 'fail-over', 'upstreamUnavailable'],
    [
      429,
      'Throttling.RateQuota',
      'Requests rate limit exceeded, please try again later.',
      'retry',
      'upstreamRateLimited',
    ],
    [500, 'InternalError.Algo', 'inference internal error', 'retry', 'upstreamUnavailable'],
  ])('%i %s, also where it hides in an answer with status 200', async (status, code, message, action, errorName) => {
    for (const seen of [status, 200]) {
      const refusal = await host.refusalOf(playDashscope({ refuse: () => dashscopeError(seen, code, message) }), qwen)
      expect(refusal).toMatchObject({ action, errorName, inside: message, status: seen })
    }
  })
})

describe('a hostile answer', () => {
  it.each(hostileAnswers.slice(0, 6))('in place of images: %s', async (_, answer) => {
    expect(await host.isUnusable(playDashscope({ refuse: () => answer }), qwen)).toBe(true)
  })

  it.each([
    {},
    { output: null },
    { output: { choices: 'x' } },
    { output: { choices: [null, 7, {}, { message: { content: [{ text: 'sorry' }] } }] } },
  ])('without an image is an answer without one: %j', async (body) => {
    const { result } = await host.make(playDashscope({ refuse: () => ({ body }) }), qwen)
    expect(result.images).toEqual([])
  })

  it('with something else than an address', async () => {
    const body = { output: { choices: [{ message: { content: [{ image: 'file:///etc/passwd' }] } }] } }
    expect(await host.isUnusable(playDashscope({ refuse: () => ({ body }) }), qwen)).toBe(true)
  })
})
