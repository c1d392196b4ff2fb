import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonObject, objectAt } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'
import { addHost, jobCount } from './video-hosts.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'

const image = 'https://pictures.example/a.png'

const addresses: Readonly<Record<string, readonly string[]>> = {
  'pictures.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['93.184.216.34', '127.0.0.2'],
  'six.example': ['fd00::7'],
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = addresses[host]
  if (found === undefined) throw new Error(`ENOTFOUND ${host}`)
  return found
}

describe('an order for a video that is refused makes no job and reserves nothing', () => {
  let world: VideoWorld
  let caller: TestClient
  let edits: VideoUpstream
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', { WEIR_EGRESS_ALLOWED_NETWORKS: '' }, { resolveHost })
    await world.addModels([
      plainModel,
      { ...plainModel, id: 'acme/words', input_modalities: ['text'] },
      { ...plainModel, id: 'acme/old', status: 'retired', deprecation_date: '2025-06-06' },
      { ...plainModel, id: 'acme/sized', video: { supported_sizes: ['1280x720', '720x1280'] } },
      {
        ...plainModel,
        id: 'acme/ruled',
        pricing: {},
        pricing_rules: [{ unit: 'second', usd: '0.1', resolution: '720p' }],
      },
    ])
    edits = await addHost(world, 'runway', { id: 'acme/edits', upstream_model_id: 'aleph2' })
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '10' })
  })
  afterAll(async () => {
    await edits.close()
    await world.close()
  })

  const order = (body: JsonObject): Promise<Reply> =>
    world.call(caller, '/v1/videos', { body: { model: 'acme/film', prompt: 'a weir', ...body } })

  async function expectRefused(reply: Reply, status = 400): Promise<string> {
    expect(reply.status, reply.bytes.toString('utf8')).toBe(status)
    expect(await jobCount(world, caller)).toBe(0)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held: '0', charged: '0' })
    return String(objectAt(reply.json, 'error').message)
  }

  it.each([
    ['model', { model: undefined }],
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: null }],
  ])('[VIDEO-02] without its %s: 400 (%o)', async (name, body) => {
    expect(await expectRefused(await order(body))).toContain(`\`${name}\``)
  })

  it.each([[6], [11], [0], [-5], [5.5], ['5'], [true]])('[VIDEO-04] with a duration of %j: 400', async (duration) => {
    const message = await expectRefused(await order({ duration }))
    if (duration === 6 || duration === 11) expect(message).toContain('5, 9, 10 seconds')
    else expect(message).toContain('must be an integer (seconds)')
  })

  it('[VIDEO-05] with a resolution that the model lacks: 400, which lists those it has', async () => {
    expect(await expectRefused(await order({ resolution: '4k' }))).toContain('720p, 1080p')
    expect(await expectRefused(await order({ aspect_ratio: '2:1' }))).toContain('16:9, 9:16')
    expect(await expectRefused(await order({ model: 'acme/sized', size: '640x640' }))).toContain('1280x720, 720x1280')
    expect(await expectRefused(await order({ size: 'large' }))).toContain('1280x720')
  })

  it('with a resolution that has no price: 400', async () => {
    const reply = await order({ model: 'acme/ruled', resolution: '1080p' })
    expect(objectAt(reply.json, 'error').code).toBe('model_not_priced')
    await expectRefused(reply)
  })

  it.each([
    ['three frames', { frame_images: [image, image, image] }],
    [
      'two first frames',
      {
        frame_images: [
          { url: image, frame_type: 'first_frame' },
          { url: image, frame_type: 'first_frame' },
        ],
      },
    ],
    ['a frame in between', { frame_images: [{ image_url: { url: image }, frame_type: 'middle' }] }],
    ['a frame without an address', { frame_images: [{ frame_type: 'first_frame' }] }],
    ['no list', { frame_images: image }],
  ])('[VIDEO-09] with %s as frame_images: 400', async (_name, body) => {
    await expectRefused(await order(body))
  })

  it('[VIDEO-10] with ten reference images, or a list of none: 400', async () => {
    const references = Array.from({ length: 10 }, () => image)
    expect(await expectRefused(await order({ input_references: references }))).toContain('1 to 9')
    expect(await expectRefused(await order({ input_references: [] }))).toContain('1 to 9')
  })

  it.each([
    'https://10.0.0.1/a.png',
    'https://192.168.1.1/a.png',
    'https://127.0.0.1/a.png',
    'http://127.0.0.1:9/a.png',
    'https://169.254.169.254/latest',
    'https://[::1]/a.png',
    'https://0x7f.2/a.png',
    'https://localhost:8443/a.png',
    'https://inside.example/a.png',
    'https://mixed.example/a.png',
    'https://six.example/a.png',
    'http://pictures.example/a.png',
    'ftp://pictures.example/a.png',
    'data:image/png;base64,AAAA',
    '/v1/videos/vjob_0/content?index=0',
    `${ownOrigin}/v1/videos/vjob_00000000000000000000000000000000/content?index=0`,
    `${ownOrigin.toUpperCase()}/v1/videos/vjob_0/content`,
  ])('[VIDEO-12] with input media at %s: 400', async (url) => {
    for (const body of [
      { frame_images: [url] },
      { frame_images: [{ type: 'image_url', image_url: { url }, frame_type: 'last_frame' }] },
      { input_references: [image, url] },
      { input_video: url },
      { input_video: { url } },
      { input_video: { video_url: { url } } },
    ]) {
      await expectRefused(await order(body))
    }
  })

  it('[VIDEO-12] says of its own videos that they need a copy elsewhere', async () => {
    const reply = await order({ input_video: `${ownOrigin}/v1/videos/vjob_0/content` })
    expect(await expectRefused(reply)).toContain('Copy a video generated here to a public URL first')
  })

  it('[VIDEO-11] with several videos, or with what is none: 400', async () => {
    expect(await expectRefused(await order({ input_video: [image, image] }))).toContain('a single video')
    expect(await expectRefused(await order({ input_video: 7 }))).toContain('input_video')
    expect(await expectRefused(await order({ input_video: { source_duration_ms: 5_000 } }))).toContain('input_video')
  })

  it('[VIDEO-18] for a kind of task that the model does not make: 400, which lists what it makes', async () => {
    const frames = await expectRefused(await order({ model: 'acme/words', frame_images: [image] }))
    expect(frames).toContain('Supported: text_to_video.')
    // The catalogue does not forbid it, but the upstream does not support it.
    expect(await expectRefused(await order({ input_references: [image] }))).toContain('reference_to_video')
  })

  it('[VIDEO-18] for what its host makes with other models alone: 400', async () => {
    expect(await expectRefused(await order({ model: 'acme/edits' }))).toContain('text_to_video')
  })

  it.each([
    'http://hooks.example/a',
    'https://10.0.0.1/a',
    'https://127.0.0.1/a',
    'http://127.0.0.1/a',
    'https://[::1]/a',
    'https://[fe80::1]/a',
    'https://169.254.169.254/a',
    'https://localhost/a',
    'https://inside.example/a',
    'https://metadata.example/a',
    'https://mixed.example/a',
    'https://user:word@pictures.example/a',
    'ftp://pictures.example/a',
    'not a url',
    '',
  ])('[VIDEO-19] with %j as callback_url: 400', async (url) => {
    expect(await expectRefused(await order({ callback_url: url }))).toContain('callback_url')
  })

  it('[VIDEO-19] with a callback_url that is no text: 400', async () => {
    expect(await expectRefused(await order({ callback_url: ['https://pictures.example'] }))).toContain('callback_url')
  })

  it('[VIDEO-20] for a retired model: 410', async () => {
    const reply = await order({ model: 'acme/old' })
    expect(objectAt(reply.json, 'error').code).toBe('model_retired')
    await expectRefused(reply, 410)
  })

  it('[VIDEO-21] without the money for the worst case: 402, and nobody is asked', async () => {
    const poor = await world.createClient({ usd: '0.9' })
    const body = { model: 'acme/film', prompt: 'a weir', duration: 10 }
    const reply = await world.call(poor, '/v1/videos', { body })
    expect(reply.status).toBe(402)
    expect(await jobCount(world, poor)).toBe(0)
    expect(await world.walletOf(poor.walletId)).toEqual({ balance: '0.9', held: '0', charged: '0' })
    expect(await world.upstream.orders()).toEqual([])
  })

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a weir' }] }],
    ['/v1/images/generations', { prompt: 'a weir' }],
  ])('[ERR-44] the model on %s: 400 wrong_endpoint_for_video', async (path, body) => {
    const reply = await world.call(caller, path, { body: { model: 'acme/film', ...body } })
    expect(objectAt(reply.json, 'error')).toMatchObject({ code: 'wrong_endpoint_for_video' })
    expect(await expectRefused(reply)).toContain('/v1/videos')
  })

  it('a model that makes no videos: 400, which says where those are listed', async () => {
    const reply = await order({ model: 'openai/gpt-5.2' })
    expect(objectAt(reply.json, 'error').code).toBe('model_endpoint_mismatch')
    expect(await expectRefused(reply)).toContain('output_modalities=video')
  })
})
