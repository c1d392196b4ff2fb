import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  gptImageUsage,
  openAiImageError,
  type OpenAiImagesScript,
  playOpenAiImages,
} from '#test/simulators/media/images/openai-images.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { objectAt } from '#lib/json.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { codeOf, imageModel, urlsOf } from './images-world.ts'

const byImage = 'maker/by-the-image'
const byToken = 'maker/by-the-token'
const byPixel = 'maker/by-the-megapixel'

const down = () => ({ status: 503, body: { error: { message: 'busy' } } })
const blocked = () => openAiImageError(400, 'moderation_blocked', 'Your request was rejected by the safety system.')

describe('what images cost', () => {
  let world: MediaWorld
  let second: MediaUpstream
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages())
    second = await startMediaUpstream(playOpenAiImages())
    await world.addProvider({ vendor: 'openai', url: `${second.url}/v1`, pattern: '*', name: 'second', priority: 2 })
    await world.addModels([
      imageModel(byImage, 'openai', { pricing: { per_image_output: '0.0333333333', per_image_input: '0.01' } }),
      imageModel(byToken, 'openai', {
        pricing: { prompt: '0.000005', image_input_token: '0.00001', image_output_token: '0.00004' },
      }),
      imageModel(byPixel, 'openai', { pricing: { per_megapixel_output: '0.06' } }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    for (const upstream of [world.upstream, second]) {
      upstream.play(playOpenAiImages())
      upstream.calls.length = 0
    }
  })
  afterAll(async () => {
    await second.close()
    await world.close()
  })

  const ask = (body: object) =>
    world.post(caller, '/v1/images/generations', { model: byImage, prompt: 'A fox', ...body })
  const wallet = () => world.walletOf(caller.walletId)
  const playBoth = (script: OpenAiImagesScript): void => {
    world.upstream.play(playOpenAiImages(script))
    second.play(playOpenAiImages(script))
  }

  it('[MONEY-01] [MONEY-04] is the price of each image times their number, rounded up once', async () => {
    const reply = await ask({ n: 3 })
    // 3 × 0.0333333333 = 0.0999999999, rounded up to the next nano-dollar.
    expect(objectAt(reply.json, 'usage').cost).toBe(0.1)
    expect(await wallet()).toEqual({ balance: '4.9', held: '0', charged: '0.1' })
  })

  it('is for as many images as were made, not as were asked for', async () => {
    world.upstream.play(playOpenAiImages({ count: 2 }))
    const reply = await ask({ n: 3 })
    expect(urlsOf(reply)).toHaveLength(2)
    expect(objectAt(reply.json, 'usage').cost).toBe(0.066666667)
  })

  it('is by the token where the model is priced so, words and images apart', async () => {
    world.upstream.play(playOpenAiImages({ usage: gptImageUsage }))
    const reply = await ask({ model: byToken })
    // 10 × 0.000005 + 40 × 0.00001 + 1,056 × 0.00004
    expect(objectAt(reply.json, 'usage').cost).toBe(0.04269)
    expect(await wallet()).toEqual({ balance: '4.95731', held: '0', charged: '0.04269' })
  })

  it('is by the megapixel of what was made', async () => {
    const reply = await ask({ model: byPixel })
    // 8 × 4 pixels at 0.06 per million.
    expect(objectAt(reply.json, 'usage').cost).toBe(0.00000192)
  })

  it('is held before anybody is asked, so that nobody makes what is not paid for', async () => {
    const poor = await world.createClient({ usd: '0.05' })
    const reply = await world.post(poor, '/v1/images/generations', { model: byImage, prompt: 'A fox', n: 2 })
    expect([reply.status, codeOf(reply)]).toEqual([402, 'insufficient_credits'])
    expect(world.upstream.calls).toEqual([])
    expect((await world.post(poor, '/v1/images/generations', { model: byImage, prompt: 'A fox' })).status).toBe(200)
  })

  it('[GEN-07] can be recomputed from the generation', async () => {
    const reply = await ask({ n: 2 })
    const id = reply.headers.get('x-generation-id')
    const response = await world.as(caller).get(`/v1/generation?id=${id}`)
    expect(response.json).toMatchObject({
      data: { total_cost: 0.066666667, receipt: { lines: [{ item: 'per_image_output', count: 2 }] } },
    })
  })

  it('[ERR-43] is nothing where every upstream succeeded without an image', async () => {
    playBoth({ count: 0 })
    const reply = await ask({})
    expect([reply.status, codeOf(reply)], reply.text).toEqual([502, 'no_images'])
    expect([world.upstream.calls.length, second.calls.length]).toEqual([1, 1])
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('[ERR-42] is nothing where an image was made and could not be fetched or is none', async () => {
    playBoth({
      refuse: ({ method }) =>
        method === 'GET' ? { status: 404 } : { body: { data: [{ url: `${world.upstream.url}/made/gone.png` }] } },
    })
    const gone = await ask({})
    expect([gone.status, codeOf(gone)], gone.text).toEqual([502, 'pipeline_error'])
    playBoth({ refuse: () => ({ body: { data: [{ b64_json: Buffer.from('<html>').toString('base64') }] } }) })
    const page = await ask({})
    expect([page.status, codeOf(page)], page.text).toEqual([502, 'pipeline_error'])
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('[ERR-43] has a status of its own in a stream that has not begun', async () => {
    playBoth({ count: 0 })
    const reply = await ask({ stream: true })
    expect([reply.status, codeOf(reply)], reply.text).toEqual([502, 'no_images'])
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('is nothing where the upstream fails, and is charged once where another one serves', async () => {
    world.upstream.play(playOpenAiImages({ refuse: down }))
    const served = await ask({})
    expect(served.status, served.text).toBe(200)
    expect(second.calls).toHaveLength(1)
    expect(await wallet()).toMatchObject({ charged: '0.033333334' })
    playBoth({ refuse: down })
    const failed = await ask({})
    expect([failed.status, codeOf(failed)]).toEqual([502, 'upstream_unavailable'])
    expect(await wallet()).toEqual({ balance: '4.966666666', held: '0', charged: '0.033333334' })
  })

  it('is nothing where the content is refused, which no other host is asked to overlook', async () => {
    playBoth({ refuse: blocked })
    const reply = await ask({})
    expect([reply.status, codeOf(reply)], reply.text).toEqual([403, 'content_moderation'])
    expect(second.calls).toEqual([])
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('is nothing for a caller who leaves before the image is made', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
    world.upstream.play((_, response) => {
      response.on('close', onClosed)
      onAsked()
      return undefined
    })
    const leave = new AbortController()
    const body = { model: byImage, prompt: 'A fox' }
    const left = world.as(caller).post('/v1/images/generations', body, { signal: leave.signal })
    await asked
    leave.abort()
    await expect(left).rejects.toThrow('aborted')
    // The upstream request is closed, and the hold is released.
    await closed
    await expect.poll(wallet).toEqual({ balance: '5', held: '0', charged: '0' })
  })
})
