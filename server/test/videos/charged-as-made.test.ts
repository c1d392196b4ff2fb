import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { addHost } from './video-hosts.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

const image = 'https://pictures.example/first.png'
const resolveHost = async (): Promise<readonly string[]> => ['93.184.216.34']

describe('[M5] a video is charged as it was made', () => {
  let world: VideoWorld
  let runway: VideoUpstream
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', {}, { resolveHost })
    const pricing_rules = [
      { unit: 'second', usd: '0.1', resolution: '720p' },
      { unit: 'second', usd: '0.3', resolution: '1080p' },
    ]
    const byResolution = { ...plainModel, pricing: {}, pricing_rules }
    runway = await addHost(world, 'runway', { ...byResolution, id: 'acme/seedance', upstream_model_id: 'seedance2' })
    // Its price list has more lines than Runway offers.
    const fast = { ...byResolution, id: 'acme/fast', provider: 'runway', upstream_model_id: 'seedance2_fast' }
    await world.addModels([plainModel, fast])
    const { vendor, baseUrl: url, key: credential } = runway
    await world.addProvider({ vendor, url, pattern: 'acme/fast', credential, name: 'runway-fast' })
    await world.startWorker()
  })
  afterAll(async () => {
    await runway.close()
    await world.close()
  })

  it.each([
    ['720p', '1280:720', '0.5'],
    ['1080p', '1920:1080', '1.5'],
  ])('[W16] Runway is told the frame of %s, which is %s, and five seconds cost %s', async (resolution, ratio, usd) => {
    const caller = await world.createClient({ usd: '10' })
    const id = await world.submit(caller, { model: 'acme/seedance', resolution, aspect_ratio: '16:9' })
    expect(await world.ended(caller, id)).toMatchObject({ status: 'completed', usage: { cost: Number(usd) } })
    expect((await runway.orders()).at(-1)?.body).toMatchObject({ ratio })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: usd })
  })

  it.each([
    ['[W16]', 'lines than Runway makes of it', { model: 'acme/fast', resolution: '1080p' }],
    ['[W20]', 'seconds than Ray 3.2 makes of an image', { model: 'acme/film', duration: 10, frame_images: [image] }],
  ])('%s one of more %s is not made, and costs nothing', async (_id, _what, order) => {
    const caller = await world.createClient({ usd: '10' })
    const seen = async () => (await runway.orders()).length + (await world.upstream.orders()).length
    const before = await seen()
    const id = await world.submit(caller, order)
    expect(await world.ended(caller, id)).toMatchObject({ status: 'failed' })
    expect(await seen()).toBe(before)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held: '0', charged: '0' })
  })
})
