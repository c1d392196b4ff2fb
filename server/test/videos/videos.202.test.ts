import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { SeenOrder, VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { makeMovie } from './real/movies.ts'
import { addHost } from './video-hosts.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

const first = 'https://pictures.example/first.png'
const last = 'https://pictures.example/last.png'
const video = { ...objectAt(plainModel, 'video'), generate_audio: true }
const none: readonly string[] = []

describe('an order for a video', () => {
  let world: VideoWorld
  let caller: TestClient
  let openRouter: VideoUpstream
  let kling: VideoUpstream
  let xai: VideoUpstream
  let runway: VideoUpstream
  let movies: MediaUpstream
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', {}, { resolveHost: async () => none })
    await world.addModels([plainModel])
    openRouter = await addHost(world, 'openrouter', { id: 'acme/reel', upstream_model_id: 'reel', video })
    kling = await addHost(world, 'kling', { id: 'acme/kling', upstream_model_id: 'kling-v3' })
    xai = await addHost(world, 'xai', { id: 'acme/grok', upstream_model_id: 'grok-imagine-video', video: {} })
    runway = await addHost(world, 'runway', {
      id: 'acme/aleph',
      upstream_model_id: 'aleph2',
      pricing: {},
      pricing_rules: [
        { unit: 'second', usd: '0.1' },
        { unit: 'minimum_per_generation', usd: '0.56' },
      ],
    })
    await world.addModels([
      {
        ...plainModel,
        id: 'acme/fine',
        pricing: {},
        pricing_rules: [
          { unit: 'second', usd: '0.1', resolution: '720p' },
          { unit: 'second', usd: '0.25', resolution: '1080p' },
        ],
      },
    ])
    const made = {
      '/short.mp4': await makeMovie({ seconds: 2 }),
      '/long.mp4': await makeMovie({ seconds: 4 }),
      '/longest.mp4': await makeMovie({ seconds: 6 }),
    }
    movies = await startMediaUpstream(({ path }) => {
      const body = Object.entries(made).find(([name]) => name === path)?.[1]
      return body === undefined ? { status: 404 } : { headers: { 'content-type': 'video/mp4' }, body }
    })
    await world.startWorker()
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '10' })
  })
  afterAll(async () => {
    await world.close()
    for (const upstream of [openRouter, kling, xai, runway, movies]) await upstream.close()
  })

  const order = (body: JsonObject, path = '/v1/videos'): Promise<Reply> =>
    world.call(caller, path, { body: { model: 'acme/film', prompt: 'a weir', ...body } })

  /** The request to the upstream. */
  async function told(host: VideoUpstream, body: JsonObject): Promise<SeenOrder> {
    const before = (await host.orders()).length
    const id = await world.submit(caller, body)
    await host.waitForOrders(before + 1)
    const job = await world.ended(caller, id)
    expect(job).toMatchObject({ status: 'completed' })
    const seen = (await host.orders()).at(before)
    if (seen === undefined) throw new Error('nothing was ordered')
    return seen
  }

  it('[VIDEO-01] is answered at once with a job', async () => {
    const submitted = await order({})
    expect(submitted.status).toBe(202)
    const id = String(submitted.json.id)
    expect(id).toMatch(/^vjob_[0-9a-f]{32}$/)
    expect(submitted.json).toEqual({
      id,
      status: 'pending',
      polling_url: `/v1/videos/${id}`,
      generation_id: expect.stringMatching(/^gen-/),
      model: 'acme/film',
      created_at: expect.any(Number),
    })
  })

  it.each([
    ['acme/film', 10, '1080p', '1'],
    ['acme/film', 5, '1080p', '0.5'],
    ['acme/fine', 10, '720p', '1'],
    ['acme/fine', 10, '1080p', '2.5'],
    ['acme/fine', 9, '1080p', '2.25'],
  ])(
    '[VIDEO-21] of %s reserves rate times duration times multiplier: %i s of %s',
    async (model, duration, resolution, held) => {
      await world.upstream.playNext({ pendingPolls: 1_000 })
      await world.submit(caller, { model, duration, resolution })
      expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held, charged: '0' })
    },
  )

  it('[VIDEO-23] is made, and its job says what it cost and where it is', async () => {
    const id = await world.submit(caller, { duration: 10 })
    expect(await world.ended(caller, id)).toMatchObject({
      status: 'completed',
      completed_at: expect.any(Number),
      usage: { cost: 1 },
      unsigned_urls: [`/v1/videos/${id}/content?index=0`],
    })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '9', held: '0', charged: '1' })
  })

  it('[VIDEO-24] costs what was made: the rest of its reserve is returned, and what goes beyond is charged', async () => {
    // This host reports five seconds for every edited video.
    for (const { source, held, cost } of [
      { source: 'longest', held: '0.9', cost: '0.8' },
      { source: 'short', held: '0.3', cost: '0.6' },
    ]) {
      caller = await world.createClient({ usd: '10' })
      await xai.playNext({ pendingPolls: 3 })
      const id = await world.submit(caller, { model: 'acme/grok', input_video: `${movies.url}/${source}.mp4` })
      expect(await world.walletOf(caller.walletId)).toMatchObject({ held })
      expect(await world.ended(caller, id)).toMatchObject({ usage: { cost: Number(cost) } })
      expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: cost })
    }
  })

  it('[VIDEO-03] is the same on both families of paths, also below /api, and its job is found on all of them', async () => {
    const families = ['/v1/videos', '/v1/video/generations', '/api/v1/videos', '/api/v1/video/generations']
    for (const path of families) {
      const submitted = await order({}, path)
      expect(submitted.status, path).toBe(202)
      const id = String(submitted.json.id)
      const job = await world.ended(caller, id)
      const content = await world.call(caller, `/v1/videos/${id}/content`)
      for (const other of families) {
        // The links keep the prefix of the request.
        const shown = (await world.call(caller, `${other}/${id}`)).text.replaceAll('"/api/v1/', '"/v1/')
        expect(parseJsonObject(shown)).toEqual(job)
        expect((await world.call(caller, `${other}/${id}/content`)).bytes.equals(content.bytes)).toBe(true)
      }
    }
  })

  it('[VIDEO-04] [VIDEO-13] is for a video from words, as long as was asked for, within the limits of the model', async () => {
    const { body } = await told(world.upstream, { duration: 10 })
    expect(body).toMatchObject({ model: 'ray-3.2', type: 'video', prompt: 'a weir', video: { duration: '10s' } })
    expect((await told(world.upstream, {})).body).toMatchObject({ video: { duration: '5s', resolution: '720p' } })
  })

  it('[VIDEO-06] passes the aspect ratio on, which beside an input image has no effect', async () => {
    expect((await told(world.upstream, { aspect_ratio: '9:16' })).body.aspect_ratio).toBe('9:16')
    const { body } = await told(world.upstream, { aspect_ratio: '9:16', frame_images: [first] })
    expect(body).not.toHaveProperty('aspect_ratio')
    // Not even a ratio that the model does not have.
    expect((await told(world.upstream, { aspect_ratio: '2:1', frame_images: [first] })).body).toMatchObject({
      video: { start_frame: { url: first } },
    })
  })

  it('[VIDEO-07] passes size, seed and sound on to a host that knows them', async () => {
    const wishes = { size: '1280x720', seed: 7, generate_audio: false }
    expect((await told(openRouter, { model: 'acme/reel', ...wishes })).body).toMatchObject(wishes)
    expect((await told(openRouter, { model: 'acme/reel' })).body).toMatchObject({ generate_audio: true })
    // If an upstream lacks the field, the request is not rejected.
    await told(world.upstream, wishes)
  })

  it('[VIDEO-08] asks for no watermark unless one is wanted', async () => {
    expect((await told(kling, { model: 'acme/kling' })).body).toMatchObject({ watermark_info: { enabled: false } })
    const wanted = await told(kling, { model: 'acme/kling', watermark: true })
    expect(wanted.body).toMatchObject({ watermark_info: { enabled: true } })
  })

  it.each([
    ['objects as in chat', [typed(first, 'first_frame'), typed(last, 'last_frame')]],
    ['objects in another order', [typed(last, 'last_frame'), typed(first, 'first_frame')]],
    ['plain URLs', [first, last]],
    ['objects with a URL', [{ url: first }, { url: last, frame_type: 'last_frame' }]],
  ])('[VIDEO-09] [VIDEO-14] takes frames as %s, and both make a task between them', async (_name, frames) => {
    const { body } = await told(world.upstream, { frame_images: frames })
    expect(body).toMatchObject({ type: 'video', video: { start_frame: { url: first }, end_frame: { url: last } } })
  })

  it('[VIDEO-14] makes a video from one first frame', async () => {
    const { body } = await told(world.upstream, { frame_images: [first] })
    expect(objectAt(body, 'video')).toMatchObject({ start_frame: { url: first } })
    expect(objectAt(body, 'video')).not.toHaveProperty('end_frame')
    expect((await told(kling, { model: 'acme/kling', frame_images: [first] })).path).toBe('/v1/videos/image2video')
  })

  it('[VIDEO-10] [VIDEO-16] takes one to nine references', async () => {
    for (const count of [1, 9]) {
      const references = Array.from({ length: count }, (_, index) => `https://pictures.example/${index}.png`)
      const { body } = await told(openRouter, { model: 'acme/reel', input_references: references })
      expect(body.input_references).toEqual(references.map((url) => ({ type: 'image_url', image_url: { url } })))
    }
    const objects = [{ type: 'image_url', image_url: { url: first } }]
    expect((await told(openRouter, { model: 'acme/reel', input_references: objects })).body).toMatchObject({
      input_references: objects,
    })
  })

  it('[VIDEO-11] [VIDEO-17] takes a video as a URL and as an object; as long as it was it is an edit, paid for both ways', async () => {
    const url = `${movies.url}/short.mp4`
    for (const inputVideo of [url, { url }, { type: 'video_url', video_url: { url } }]) {
      caller = await world.createClient({ usd: '10' })
      const { body } = await told(world.upstream, { input_video: inputVideo })
      expect(body).toMatchObject({ type: 'video_edit', source: { url } })
      // Two generated seconds at 0.1, and two input seconds at 0.05.
      expect(await world.walletOf(caller.walletId)).toEqual({ balance: '9.7', held: '0', charged: '0.3' })
    }
  })

  it('[VIDEO-17] an edit with a duration that is not beyond the source is one too, and its input costs as its output where nobody says otherwise', async () => {
    const { path, body } = await told(xai, {
      model: 'acme/grok',
      duration: 4,
      input_video: `${movies.url}/long.mp4`,
    })
    expect(path).toContain('/videos/edits')
    expect(body).toMatchObject({ video: { url: `${movies.url}/long.mp4` } })
    caller = await world.createClient({ usd: '10' })
    await told(runway, { model: 'acme/aleph', input_video: `${movies.url}/long.mp4` })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0.8' })
  })

  it('[VIDEO-21] holds and charges the least that a price list asks for one video', async () => {
    await runway.playNext({ pendingPolls: 3 })
    const id = await world.submit(caller, { model: 'acme/aleph', input_video: `${movies.url}/short.mp4` })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0.56' })
    expect(await world.ended(caller, id)).toMatchObject({ status: 'completed', usage: { cost: 0.56 } })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '9.44', held: '0', charged: '0.56' })
  })

  it('[VIDEO-15] goes on from a video where it is to be longer', async () => {
    const { path, body } = await told(xai, { model: 'acme/grok', duration: 5, input_video: `${movies.url}/short.mp4` })
    expect(path).toContain('/videos/extensions')
    expect(body).toMatchObject({ video: { url: `${movies.url}/short.mp4` } })
  })

  it('[VIDEO-18] [VIDEO-11] is refused where the model does not change videos, or where there is none', async () => {
    const edit = await order({ model: 'acme/kling', input_video: `${movies.url}/short.mp4` })
    expect(edit.status).toBe(400)
    expect(objectAt(edit.json, 'error').message).toContain('video_edit')
    const missing = await order({ input_video: `${movies.url}/none.mp4` })
    expect(missing.status).toBe(400)
    expect(objectAt(missing.json, 'error').message).toContain('could not be fetched')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held: '0', charged: '0' })
  })
})

function typed(url: string, frameType: string): JsonObject {
  return { type: 'image_url', image_url: { url }, frame_type: frameType }
}
