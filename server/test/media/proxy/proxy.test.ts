import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts'
import { pngOf } from './sample-images.ts'

describe('GET /v1/images/proxy/{token}', () => {
  let world: ProxyWorld
  beforeAll(async () => {
    world = await startProxyWorld()
  }, 60_000)
  afterAll(() => world.close())

  it('[IMG-16] gives the bytes away to whoever has the token, whatever credential they send', async () => {
    const png = pngOf({ width: 640, height: 480 })
    const token = await world.keep(png)
    for (const headers of [{}, { authorization: 'Bearer sk-weir-nonsense' }, { cookie: 'a=b' }]) {
      const response = await world.fetchImage(token, { headers })
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
    }
    const legacy = await fetch(`${world.url}/api/v1/images/proxy/${token}`)
    expect([legacy.status, Buffer.from(await legacy.arrayBuffer()).equals(png)]).toEqual([200, true])
  })
})
