import { describe, expect, it } from 'vitest'
import { fal } from '#providers/vendors/fal/index.ts'
import { type FalScript, playFal } from '#test/simulators/media/images/fal.ts'
import { base64Of, dataInput, fileInput, hostileAnswers, urlInput, useHost } from './host-world.ts'

const host = useHost(fal, '')
const schnell = { model: 'fal-ai/flux/schnell' }
const dataUri = (text: string): string => `data:image/png;base64,${base64Of(text)}`
const wide = { size: { width: 1_792, height: 1_024 } }

describe('a task in the queue of fal', () => {
  it('is submitted, asked after under its owner and name, and its result fetched', async () => {
    const { result, pausesMs } = await host.make(playFal(), { ...schnell, ...wide, count: 2 })
    const id = '764cabcf-b745-4b3e-ae38-1200304cf450'
    expect(host.calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /fal-ai/flux/schnell',
      `GET /fal-ai/flux/requests/${id}/status`,
      `GET /fal-ai/flux/requests/${id}/status`,
      `GET /fal-ai/flux/requests/${id}/status`,
      `GET /fal-ai/flux/requests/${id}`,
    ])
    expect(host.calls().every(({ headers }) => headers.authorization === 'Key secret')).toBe(true)
    expect(host.calls()[0]?.json).toEqual({
      prompt: 'a fox',
      image_size: { width: 1_792, height: 1_024 },
      num_images: 2,
    })
    expect(pausesMs).toEqual([500, 750, 1_125])
    expect(result.images).toEqual([
      { kind: 'url', url: expect.stringMatching(/450-0\.png$/) },
      { kind: 'url', url: expect.stringMatching(/450-1\.png$/) },
    ])
    expect(result.usage?.media).toEqual({
      outputImages: 2,
      inputImages: 0,
      variant: { size: '1792x1024', resolution: '1K' },
    })
  })

  it('[IMG-09] is repeated for more images than an app makes at once', async () => {
    const made = await host.make(playFal({ timeline: ['COMPLETED'] }), { ...schnell, count: 6 })
    const submits = host.calls().filter(({ method }) => method === 'POST')
    expect(submits.map(({ json }) => json['num_images'])).toEqual([4, 2])
    expect(made.result.usage?.media).toMatchObject({ outputImages: 6 })
    await host.make(playFal({ timeline: ['COMPLETED'] }), { model: 'fal-ai/flux-2-pro', count: 2 })
    expect(host.calls().filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox' })
  })

  it('is waited for again where its result is said to be under way still', async () => {
    const early = { status: 400, body: { detail: 'Request is still in progress' } }
    const script: FalScript = { timeline: ['COMPLETED'], result: (_, fetches) => (fetches === 0 ? early : undefined) }
    const { result } = await host.make(playFal(script), schnell)
    expect(result.images).toHaveLength(1)
    const refusal = await host.refusalOf(playFal({ ...script, result: () => early }), schnell)
    expect(refusal).toMatchObject({ action: 'give-up', errorName: 'unknownUpstream4xx' })
  })
})

describe('[IMG-08] the form of an image', () => {
  it.each([
    ['fal-ai/flux/dev', wide, { image_size: { width: 1_792, height: 1_024 } }],
    ['fal-ai/flux/dev', { extras: { size: 'square_hd' } }, { image_size: 'square_hd' }],
    ['fal-ai/flux/dev', { aspectRatio: '1:1' }, { image_size: { width: 1_024, height: 1_024 } }],
    ['fal-ai/flux-pro/v1.1-ultra', wide, { aspect_ratio: '16:9' }],
    ['fal-ai/imagen4/preview', { size: { width: 1_024, height: 1_024 } }, { aspect_ratio: '1:1' }],
    ['fal-ai/nano-banana', { aspectRatio: '9:16' }, { aspect_ratio: '9:16' }],
    ['bria/text-to-image/3.2', wide, { aspect_ratio: '16:9' }],
    ['openai/gpt-image-2', { quality: 'high' }, { quality: 'high' }],
    ['fal-ai/recraft-v3', { quality: 'high' }, {}],
  ])('of %s asked as %j is %j', async (model, order, form) => {
    await host.make(playFal({ timeline: ['COMPLETED'] }), { model, ...order })
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', ...form })
  })
})

describe('images to start from', () => {
  it.each([
    [
      'fal-ai/nano-banana',
      [urlInput],
      '/fal-ai/nano-banana/edit',
      { image_urls: [urlInput.kind === 'url' && urlInput.url] },
    ],
    [
      'fal-ai/bytedance/seedream/v4/text-to-image',
      [fileInput, dataInput],
      '/fal-ai/bytedance/seedream/v4/edit',
      { image_urls: [dataUri('file bytes'), dataUri('data bytes')] },
    ],
    ['fal-ai/flux/dev', [fileInput], '/fal-ai/flux/dev/image-to-image', { image_url: dataUri('file bytes') }],
    ['fal-ai/flux-pro/kontext', [dataInput], '/fal-ai/flux-pro/kontext', { image_url: dataUri('data bytes') }],
    ['fal-ai/nano-banana/edit', [dataInput], '/fal-ai/nano-banana/edit', { image_urls: [dataUri('data bytes')] }],
    ['someone/new-app', [dataInput], '/someone/new-app', { image_url: dataUri('data bytes') }],
    ['fal-ai/flux-pro/kontext', [], '/fal-ai/flux-pro/kontext/text-to-image', {}],
  ])('of %s', async (model, inputs, path, fields) => {
    const { result } = await host.make(playFal({ timeline: ['COMPLETED'] }), { model, inputs })
    expect([host.calls()[0]?.path, host.calls()[0]?.json]).toEqual([path, { prompt: 'a fox', ...fields }])
    expect(result.usage?.media?.inputImages).toBe(inputs.length)
  })

  it('are refused where an app starts from words alone, before it is asked', async () => {
    const order = { model: 'fal-ai/imagen4/preview', inputs: [urlInput] }
    await expect(host.make(playFal(), order)).rejects.toMatchObject({ errorName: 'inputImagesNotSupported' })
    expect(host.calls()).toHaveLength(0)
  })
})

it('asks after a task of a workflow under its namespace as well', async () => {
  await host.make(playFal({ timeline: ['COMPLETED'] }), { model: 'workflows/someone/flow' })
  expect(host.calls()[1]?.path).toMatch(/^\/workflows\/someone\/flow\/requests\//)
})

it('passes on what the host knows of the other fields, and nothing that could call or unlock something', async () => {
  const extras = { seed: 7, enable_safety_checker: false, sync_mode: true, webhook_url: 'https://evil.example' }
  await host.make(playFal(), { ...schnell, extras })
  expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', seed: 7 })
})

describe('what comes to nothing', () => {
  it('is refused content where every image was taken for unsafe', async () => {
    const refusal = await host.refusalOf(playFal({ isUnsafe: () => true }), { ...schnell, count: 2 })
    expect(refusal).toMatchObject({ action: 'give-up', errorName: 'contentModeration' })
  })

  it('leaves out those that were, and they are not counted', async () => {
    const { result } = await host.make(playFal({ isUnsafe: (index) => index === 0 }), { ...schnell, count: 2 })
    expect(result.images).toHaveLength(1)
    expect(result.usage?.media?.outputImages).toBe(1)
  })

  it.each([
    [
      422,
      { detail: [{ loc: ['body', 'prompt'], msg: 'Too long', type: 'string_too_long' }] },
      'give-up',
      'unknownUpstream4xx',
    ],
    [422, { detail: [{ loc: ['body'], msg: 'No', type: 'content_policy_violation' }] }, 'give-up', 'contentModeration'],
    [401, { detail: 'Cannot access application' }, 'fail-over', 'upstreamAuthFailed'],
    [403, { detail: 'User is locked. Reason: Exhausted balance.' }, 'fail-over', 'upstreamAuthFailed'],
    [404, { detail: 'Application not found' }, 'fail-over', 'upstreamUnavailable'],
    [429, { detail: 'Too many requests' }, 'retry', 'upstreamRateLimited'],
    [
      500,
      { detail: [{ loc: ['body'], msg: 'Internal', type: 'internal_server_error' }] },
      'retry',
      'upstreamUnavailable',
    ],
  ])('a submit or a result refused with %i %j', async (status, body, action, errorName) => {
    const answer = { status, body }
    const submit = await host.refusalOf(playFal({ refuse: () => answer }), schnell)
    const result = await host.refusalOf(playFal({ timeline: ['COMPLETED'], result: () => answer }), schnell)
    for (const refusal of [submit, result]) expect(refusal).toMatchObject({ action, errorName })
  })
})

describe('a hostile answer', () => {
  it.each(hostileAnswers)('to a submit: %s', async (_, answer) => {
    expect(await host.isUnusable(playFal({ refuse: () => answer }), schnell)).toBe(true)
  })

  it.each(hostileAnswers)('as a result: %s', async (_, answer) => {
    expect(await host.isUnusable(playFal({ timeline: ['COMPLETED'], result: () => answer }), schnell)).toBe(true)
  })

  it('with an id that is a path stays under the app', async () => {
    const handler = playFal({
      refuse: ({ method, path }) => {
        if (method === 'POST') return { body: { request_id: '../../../secrets?x=' } }
        expect(path).toBe('/fal-ai/flux/requests/..%2F..%2F..%2Fsecrets%3Fx%3D/status')
        return { status: 404, body: { detail: 'no' } }
      },
    })
    await host.refusalOf(handler, schnell)
  })

  it('with more images than were asked for is cut', async () => {
    const images = Array.from({ length: 50 }, () => ({ url: 'https://x.example/a.png' }))
    const { result } = await host.make(playFal({ result: () => ({ body: { images } }) }), schnell)
    expect(result.images).toHaveLength(1)
  })

  it('without an image is an answer without one', async () => {
    const { result } = await host.make(playFal({ result: () => ({ body: { images: [] } }) }), schnell)
    expect(result.images).toEqual([])
  })
})
