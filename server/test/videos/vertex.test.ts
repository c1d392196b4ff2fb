import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { makeMovie } from './real/movies.ts'
import { addHost } from './video-hosts.ts'
import { startVideoWorld, type VideoWorld } from './video-world.ts'

describe('a video of Vertex', () => {
  let world: VideoWorld
  let vertex: VideoUpstream
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents')
    vertex = await addHost(world, 'vertex-veo', {
      id: 'acme/veo',
      upstream_model_id: 'veo-3.1-generate-001',
      pricing: { per_second_output: '0.4' },
      video: { supported_durations: [4, 6, 8], supported_resolutions: ['720p', '1080p'], generate_audio: false },
    })
    await vertex.serve(await makeMovie({ seconds: 8 }))
    await world.startWorker()
  })
  afterAll(async () => {
    await world.close()
    await vertex.close()
  })

  it('[VIDEO-13] [VIDEO-29] is made by a worker with a token, kept from the answer that holds it, and charged by the second', async () => {
    const caller = await world.createClient({ usd: '10' })
    const id = await world.submit(caller, { model: 'acme/veo', duration: 8 })
    expect(await world.ended(caller, id)).toMatchObject({ status: 'completed' })
    const content = await world.call(caller, `/v1/videos/${id}/content`)
    expect(content.status).toBe(200)
    expect(content.bytes.toString('latin1', 4, 8)).toBe('ftyp')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '3.2', held: '0' })
    const [order] = await vertex.orders()
    expect(order?.body).toMatchObject({ parameters: { durationSeconds: 8, sampleCount: 1 } })
  })
})
