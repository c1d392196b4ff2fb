import { afterAll, beforeAll, expect, it } from 'vitest'
import { startVideoWorld, type VideoWorld } from './video-world.ts'

let world: VideoWorld
beforeAll(async () => {
  world = await startVideoWorld('luma-agents')
  await world.startWorker()
})
afterAll(() => world.close())

it('test/video makes a film that can be fetched, without a provider and at no cost', async () => {
  const caller = await world.createClient({ usd: '1' })
  const id = await world.submit(caller, { model: 'test/video', prompt: 'a river' })
  const job = await world.ended(caller, id)
  expect(job).toMatchObject({ status: 'completed', model: 'test/video', usage: { cost: 0 } })
  const content = await fetch(`${world.url}/v1/videos/${id}/content?index=0`, {
    headers: { authorization: `Bearer ${caller.key}` },
  })
  expect(content.headers.get('content-type')).toBe('video/mp4')
  const bytes = Buffer.from(await content.arrayBuffer())
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
})

it('D10: [VIDEO-05] test/video lists its resolutions when it is asked for another', async () => {
  const caller = await world.createClient({ usd: '1' })
  const order = (resolution: string) =>
    world.call(caller, '/v1/videos', { body: { model: 'test/video', prompt: 'a river', resolution } })
  const refused = await order('999p')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('180p, 480p, 720p, 1080p, not 999p')
  expect((await order('720p')).status).toBe(202)
})
