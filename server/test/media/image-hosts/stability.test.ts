import { describe, expect, it } from 'vitest'
import { stability } from '#providers/vendors/stability/index.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import { playStability, stabilityError } from '#test/simulators/media/images/stability.ts'
import { dataInput, fileInput, hostileAnswers, memoryFile, urlInput, useHost } from './host-world.ts'

const host = useHost(stability, '/v2beta')
const large = { model: 'sd3.5-large' }

/** The form parts of a request. */
async function formOf(index = 0): Promise<Record<string, string>> {
  return Object.fromEntries(await partsOf(index))
}

async function partsOf(index = 0): Promise<[name: string, value: string][]> {
  const call = host.calls()[index]
  const headers = { 'content-type': String(call?.headers['content-type']) }
  const form = await new Response(new Uint8Array(call?.bytes ?? []), { headers }).formData()
  const parts: [string, string][] = []
  for (const [name, value] of form) {
    parts.push([name, typeof value === 'string' ? value : `${value.type} ${value.name} ${await value.text()}`])
  }
  return parts
}

describe('an image of Stability', () => {
  it('is asked for as a form and comes as base64 in JSON', async () => {
    const { result } = await host.make(playStability(), { ...large, size: { width: 1_792, height: 1_024 } })
    const [call] = host.calls()
    expect([call?.method, call?.path]).toEqual(['POST', '/v2beta/stable-image/generate/sd3'])
    expect(call?.headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer secret' })
    expect(await formOf()).toEqual({ prompt: 'a fox', model: 'sd3.5-large', aspect_ratio: '16:9' })
    expect(result.images).toEqual([{ kind: 'base64', base64: madePng.toString('base64') }])
    expect(result.usage?.media).toMatchObject({ outputImages: 1, inputImages: 0 })
  })

  it.each([
    ['core', '/v2beta/stable-image/generate/core', {}],
    ['stable-image-core', '/v2beta/stable-image/generate/core', {}],
    ['stable-image-ultra', '/v2beta/stable-image/generate/ultra', {}],
    ['sd3', '/v2beta/stable-image/generate/sd3', { model: 'sd3' }],
  ])('has its path by its model: %s', async (model, path, fields) => {
    await host.make(playStability(), { model })
    expect(host.calls()[0]?.path).toBe(path)
    expect(await formOf()).toEqual({ prompt: 'a fox', ...fields })
  })

  it('[IMG-09] is made alone, so that two are two requests, counted together', async () => {
    const { result } = await host.make(playStability(), { ...large, count: 2 })
    expect(host.calls()).toHaveLength(2)
    expect(result.usage?.media?.outputImages).toBe(2)
  })

  it('[IMG-08] has the nearest ratio that the host knows', async () => {
    for (const [width, height, ratio] of [
      [1_024, 1_024, '1:1'],
      [1_024, 1_536, '2:3'],
      [640, 480, '5:4'],
    ] as const) {
      await host.make(playStability(), { ...large, size: { width, height } })
      expect((await formOf())['aspect_ratio']).toBe(ratio)
    }
  })
})

describe('images to start from', () => {
  it('are files of the form, and bring their own form', async () => {
    const order = { ...large, inputs: [fileInput], size: { width: 1_024, height: 1_024 }, count: 2 }
    const { result } = await host.make(playStability(), order)
    for (const index of [0, 1]) {
      expect(await formOf(index)).toEqual({
        prompt: 'a fox',
        model: 'sd3.5-large',
        mode: 'image-to-image',
        strength: '0.5',
        image: 'image/png image file bytes',
      })
    }
    expect(result.usage?.media?.inputImages).toBe(2)
  })

  it('are decoded from base64, and fetched from addresses once', async () => {
    await host.make(playStability(), { model: 'ultra', inputs: [dataInput], extras: { strength: 0.8 } })
    expect(await formOf()).toEqual({ prompt: 'a fox', strength: '0.8', image: 'image/png image data bytes' })
    const { fetched } = await host.make(playStability(), {
      ...large,
      inputs: [urlInput],
      count: 3,
      imageAt: () => memoryFile('fetched'),
    })
    expect(fetched).toHaveLength(1)
    expect((await formOf(2))['image']).toBe('image/png image fetched')
  })

  it.each([
    ['search-and-replace', '/edit/search-and-replace', { prompt: 'a fox', search_prompt: 'a dog' }],
    ['remove-background', '/edit/remove-background', { search_prompt: 'a dog' }],
    ['fast', '/upscale/fast', { search_prompt: 'a dog' }],
    ['structure', '/control/structure', { prompt: 'a fox', search_prompt: 'a dog' }],
  ])('are what %s changes', async (model, path, fields) => {
    await host.make(playStability(), { model, inputs: [fileInput], extras: { search_prompt: 'a dog' } })
    expect(host.calls()[0]?.path).toBe(`/v2beta/stable-image${path}`)
    expect(await formOf()).toEqual({ ...fields, image: 'image/png image file bytes' })
  })

  it.each([
    ['core', [fileInput], 'inputImagesNotSupported'],
    ['sd3', [fileInput, fileInput], 'tooManyImages'],
    ['inpaint', [], 'missingImage'],
    ['stable-diffusion-xl-1024-v1-0', [], 'modelEndpointMismatch'],
    ['constructor', [], 'modelEndpointMismatch'],
  ])('or a model that it can not be asked: %s', async (model, inputs, errorName) => {
    await expect(host.make(playStability(), { model, inputs })).rejects.toMatchObject({ errorName })
    expect(host.calls()).toHaveLength(0)
  })
})

it('asks after what is made in its own time', async () => {
  const { result, pausesMs } = await host.make(playStability(), { model: 'creative', inputs: [fileInput] })
  expect(host.calls().map(({ path }) => path.replace(/[0-9a-f]{64}/, '{id}'))).toEqual([
    '/v2beta/stable-image/upscale/creative',
    '/v2beta/results/{id}',
    '/v2beta/results/{id}',
    '/v2beta/results/{id}',
  ])
  expect(host.calls().every(({ headers }) => headers.accept === 'application/json')).toBe(true)
  expect(pausesMs).toEqual([500, 750, 1_125])
  expect(result.images).toHaveLength(1)
})

it('passes on what the host knows of the other fields', async () => {
  const extras = { seed: 7, negative_prompt: 'dogs', strength: 0.3, user: 'someone', model: 'sd3-medium' }
  await host.make(playStability(), { ...large, extras })
  expect(await formOf()).toEqual({ prompt: 'a fox', model: 'sd3.5-large', seed: '7', negative_prompt: 'dogs' })
})

it('can not be made to send a part of the caller’s own', async () => {
  await host.make(playStability(), large)
  const seen = /boundary=(\S+)/.exec(String(host.calls()[0]?.headers['content-type']))?.[1]
  const part = `\r\n--${seen}\r\ncontent-disposition: form-data; name="model"\r\n\r\nsd3-large`
  await host.make(playStability(), {
    ...large,
    prompt: `a fox${part}`,
    inputs: [{ kind: 'file', file: memoryFile(part) }],
  })
  expect((await partsOf()).map(([name]) => name)).toEqual(['prompt', 'model', 'mode', 'strength', 'image'])
})

describe('what comes to nothing', () => {
  it('is refused content where the image was filtered', async () => {
    const refusal = await host.refusalOf(playStability({ finishReason: 'CONTENT_FILTERED' }), large)
    expect(refusal).toMatchObject({ action: 'give-up', errorName: 'contentModeration' })
  })

  it.each([
    [
      403,
      'content_moderation',
      'Your request was flagged by our content moderation system.',
      'give-up',
      'contentModeration',
    ],
    [400, 'bad_request', 'seed: must be at least 0', 'give-up', 'unknownUpstream4xx'],
    [422, 'unprocessable_entity', 'prompt: must be in English', 'give-up', 'unknownUpstream4xx'],
    [413, 'payload_too_large', 'body: payload cannot be larger than 10MiB', 'give-up', 'unknownUpstream4xx'],
    [401, 'unauthorized', 'missing authorization header', 'fail-over', 'upstreamAuthFailed'],
    [402, 'payment_required', 'You lack sufficient credits to make this request.', 'fail-over', 'upstreamUnavailable'],
    [429, 'rate_limit_exceeded', 'You have exceeded the rate limit.', 'retry', 'upstreamRateLimited'],
    [500, 'internal_error', 'An unexpected server error has occurred', 'retry', 'upstreamUnavailable'],
  ])('%i %s', async (status, name, sentence, action, errorName) => {
    const refusal = await host.refusalOf(playStability({ refuse: () => stabilityError(status, name, sentence) }), large)
    expect(refusal).toMatchObject({ action, errorName, inside: sentence })
    if (action === 'give-up') expect(refusal.message).toBe(sentence)
  })
})

describe('a hostile answer', () => {
  it.each(hostileAnswers)('in place of an image: %s', async (_, answer) => {
    expect(await host.isUnusable(playStability({ refuse: () => answer }), large)).toBe(true)
  })

  it('in place of a task’s name', async () => {
    expect(
      await host.isUnusable(playStability({ refuse: () => ({ body: {} }) }), {
        model: 'creative',
        inputs: [fileInput],
      }),
    ).toBe(true)
  })
})
