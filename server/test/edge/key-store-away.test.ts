import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callChat } from '#test/setup/call-chat.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { openRoad, type Road } from './open-road.ts'
import { startSecondGateway } from './second-gateway.ts'

describe('a key store that cannot be reached', () => {
  let first: TestGateway
  let road: Road
  let gateway: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    first = await startTestGateway()
    road = await openRoad(new URL(first.databaseUrl))
    const url = new URL(first.databaseUrl)
    url.port = String(road.port)
    gateway = await startSecondGateway({ databaseUrl: url.href })
  })
  afterAll(async () => {
    await gateway.close()
    await road.close()
    await first.close()
  })

  it('[AUTH-20] answers a valid key with 5xx, never 401, and serves it again when the store is back', async () => {
    const caller = await first.createClient()
    const known = await first.createClient()
    const status = async (key: string): Promise<number> => (await createClient(gateway.url, key).get('/v1/key')).status
    expect(await status(known.key)).toBe(200)
    road.cut()
    // Neither an unknown nor a known client is told that the key is wrong.
    for (const key of [caller.key, known.key]) expect(await status(key)).toBe(503)
    const chat = await callChat({ url: gateway.url, key: caller.key }, {})
    expect(chat.status).toBe(503)
    expect(chat.json).toMatchObject({ error: { code: 503, message: expect.any(String) } })
    road.mend()
    await expect.poll(() => status(caller.key)).toBe(200)
  })
})
