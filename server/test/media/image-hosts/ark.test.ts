import { describe, expect, it } from 'vitest'
import { byteplus, volcengine } from '#providers/vendors/bytedance/index.ts'
import { arkError, base64Data, playArk } from '#test/simulators/media/images/ark.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import { base64Of, dataInput, fileInput, hostileAnswers, urlInput, useHost } from './host-world.ts'

const host = useHost(byteplus, '/api/v3')
const seedream = { model: 'seedream-4-5-251128' }

describe('an image of Seedream', () => {
  it('is asked for without a watermark, in one exchange', async () => {
    const { result } = await host.make(playArk(), seedream)
    const [call] = host.calls()
    expect([call?.method, call?.path, call?.headers.authorization]).toEqual([
      'POST',
      '/api/v3/images/generations',
      'Bearer secret',
    ])
    expect(call?.json).toEqual({
      model: 'seedream-4-5-251128',
      prompt: 'a fox',
      size: '2K',
      sequential_image_generation: 'disabled',
      response_format: 'url',
      watermark: false,
    })
    expect(result.images).toEqual([{ kind: 'url', url: expect.stringMatching(/seedream\.png$/) }])
    expect(result.usage).toMatchObject({ imageOutput: 0, media: { outputImages: 1, inputImages: 0, variant: {} } })
  })

  it('may come as base64', async () => {
    const { result } = await host.make(playArk({ data: base64Data }), seedream)
    expect(result.images).toEqual([{ kind: 'base64', base64: madePng.toString('base64') }])
  })

  it('is made for both of its addresses by the same rules', () => {
    expect(volcengine.media?.image).toBe(byteplus.media?.image)
  })

  it('[IMG-09] is one of one request, since a set has as many as the model likes', async () => {
    const { result } = await host.make(playArk(), { ...seedream, count: 3, inputs: [urlInput] })
    expect(host.calls()).toHaveLength(3)
    expect(result.usage?.media).toMatchObject({ outputImages: 3, inputImages: 3 })
  })
})

describe('[IMG-08] the form of an image', () => {
  it.each([
    ['seedream-4-5-251128', { size: { width: 1_024, height: 1_024 } }, '1920x1920'],
    ['seedream-4-5-251128', { size: { width: 4_096, height: 2_304 } }, '4096x2304'],
    ['seedream-4-5-251128', { extras: { resolution: '4K' } }, '4K'],
    ['seedream-4-5-251128', { extras: { resolution: 'huge' } }, '2K'],
    ['seedream-4-0-250828', { size: { width: 1_024, height: 1_024 } }, '1024x1024'],
    ['seedream-4.0', { aspectRatio: '16:9' }, '2736x1536'],
    ['doubao-seedream-3-0-t2i-250415', { size: { width: 1_024, height: 1_024 } }, '1024x1024'],
    ['seedream-3-0-t2i', {}, undefined],
    ['ep-20260101-abcde', { aspectRatio: '1:1' }, '2048x2048'],
  ])('of %s asked as %j is %s', async (model, order, size) => {
    await host.make(playArk(), { model, ...order })
    expect(host.calls()[0]?.json['size']).toBe(size)
  })

  it('is that of its image where a model only edits', async () => {
    await host.make(playArk(), { model: 'seededit-3-0-i2i', inputs: [urlInput], size: { width: 512, height: 512 } })
    expect(host.calls()[0]?.json).toEqual({
      model: 'seededit-3-0-i2i',
      prompt: 'a fox',
      size: 'adaptive',
      image: 'https://pictures.example/one.png',
      response_format: 'url',
      watermark: false,
    })
  })
})

describe('images to start from', () => {
  it('are one text or a list of them', async () => {
    await host.make(playArk(), { ...seedream, inputs: [fileInput] })
    expect(host.calls()[0]?.json['image']).toBe(`data:image/png;base64,${base64Of('file bytes')}`)
    await host.make(playArk(), { ...seedream, inputs: [urlInput, dataInput] })
    expect(host.calls()[0]?.json['image']).toEqual([
      'https://pictures.example/one.png',
      `data:image/png;base64,${base64Of('data bytes')}`,
    ])
  })

  it.each([
    ['seedream-3-0-t2i', [urlInput], 'inputImagesNotSupported'],
    ['seededit-3-0-i2i', [], 'missingImage'],
  ])('of %s are refused before it is asked', async (model, inputs, errorName) => {
    await expect(host.make(playArk(), { model, inputs })).rejects.toMatchObject({ errorName })
    expect(host.calls()).toHaveLength(0)
  })
})

it('passes on what the host knows of the other fields', async () => {
  const extras = { seed: 7, watermark: true, sequential_image_generation: 'auto', tools: [] }
  await host.make(playArk(), { ...seedream, extras })
  expect(host.calls()[0]?.json).toMatchObject({ seed: 7, watermark: false, sequential_image_generation: 'disabled' })
  expect(host.calls()[0]?.json).not.toHaveProperty('tools')
})

describe('what comes to nothing', () => {
  it.each([
    [
      400,
      'OutputImageSensitiveContentDetected',
      'The output image may contain sensitive information.',
      'give-up',
      'contentModeration',
    ],
    [
      400,
      'InputTextSensitiveContentDetected',
      'The input text may contain sensitive information.',
      'give-up',
      'contentModeration',
    ],
    [400, 'InputImageRiskDetection', 'The input image did not pass.', 'give-up', 'contentModeration'],
    [400, 'InvalidParameter', 'image size must be at least 3686400 pixels', 'give-up', 'unknownUpstream4xx'],
    [401, 'AuthenticationError', 'The API key is invalid.', 'fail-over', 'upstreamAuthFailed'],
    [403, 'AccountOverdueError', 'Your account has an overdue balance.', 'fail-over', 'upstreamUnavailable'],
    [404, 'InvalidEndpointOrModel.NotFound', 'The model does not exist.', 'fail-over', 'upstreamUnavailable'],
    [429, 'RateLimitExceeded.EndpointRPMExceeded', 'Slow down.', 'retry', 'upstreamRateLimited'],
    [500, 'InternalServiceError', 'The service met an error.', 'retry', 'upstreamUnavailable'],
  ])('%i %s', async (status, code, message, action, errorName) => {
    const refusal = await host.refusalOf(playArk({ refuse: () => arkError(status, code, message) }), seedream)
    expect(refusal).toMatchObject({ action, errorName, inside: message })
  })

  it.each([
    ['OutputImageSensitiveContentDetected', 'give-up', 'contentModeration'],
    ['InternalServiceError', 'fail-over', 'upstreamUnavailable'],
  ])('in the place of its image: %s', async (code, action, errorName) => {
    const data = (): unknown => [{ error: { code, message: 'It failed.' } }]
    expect(await host.refusalOf(playArk({ data }), seedream)).toMatchObject({
      action,
      errorName,
      inside: expect.stringContaining('It failed.'),
    })
  })
})

describe('a hostile answer', () => {
  it.each(hostileAnswers)('in place of images: %s', async (_, answer) => {
    expect(await host.isUnusable(playArk({ refuse: () => answer }), seedream)).toBe(true)
  })

  it.each([[[]], [[null, 7]], [[{}]]])('without an image is an answer without one: %j', async (data) => {
    const { result } = await host.make(playArk({ data: () => data }), seedream)
    expect(result.images).toEqual([])
  })

  it('with more images than were asked for is cut', async () => {
    const data = Array.from({ length: 15 }, () => ({ url: 'https://x.example/a.png' }))
    const { result } = await host.make(playArk({ data: () => data }), seedream)
    expect(result.images).toHaveLength(1)
  })
})
