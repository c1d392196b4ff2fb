import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

describe('a video', () => {
  let world: VideoWorld
  beforeAll(async () => {
    world = await startVideoWorld()
    await world.addModels([plainModel])
    await world.startWorker()
  })
  afterAll(() => world.close())

  it('[VIDEO-01] [VIDEO-23] [VIDEO-24] [VIDEO-29] is ordered, made, charged and fetched', async () => {
    const caller = await world.createCaller({ usd: '10' })
    const submitted = await world.call(caller, '/v1/videos', { body: { model: 'acme/film', prompt: 'a weir' } })
    expect(submitted.status).toBe(202)
    expect(submitted.json).toMatchObject({ status: 'pending', model: 'acme/film', created_at: expect.any(Number) })
    const id = String(submitted.json.id)
    expect(id).toMatch(/^vjob_[0-9a-f]{32}$/)
    expect(submitted.json.polling_url).toBe(`/v1/videos/${id}`)
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0.5' })
    const job = await world.ended(caller, id)
    expect(job).toMatchObject({
      id,
      status: 'completed',
      usage: { cost: 0.5 },
      unsigned_urls: [`/v1/videos/${id}/content?index=0`],
    })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '9.5', held: '0', charged: '0.5' })
    const content = await world.call(caller, `/v1/videos/${id}/content`)
    expect(content.status).toBe(200)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(content.bytes.toString('latin1', 4, 8)).toBe('ftyp')
  })
})
