import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '#test/chat/chat-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

// An open circuit lasts for the rest of the file, so each test has its own providers.
let world: HostsWorld
let untrusted: Simulator
beforeAll(async () => {
  // The clock stands still, so that no pause gets shorter meanwhile.
  world = await startHostsWorld({}, createTestClock('2030-01-07T12:00:15Z'))
  untrusted = await startSimulator({ tls: 'self-signed' })
})
afterAll(async () => {
  await world.close()
  await untrusted.close()
})

describe.each([false, true])('with stream %j', (stream) => {
  it('[ERR-17] hosts that refuse the connection, have no address or no good certificate are unreachable', async () => {
    const { gateway } = world
    const pattern = stream ? 'mistralai/*' : 'x-ai/*'
    const model = stream ? 'mistralai/mistral-medium-3.1' : 'x-ai/grok-4.1-fast'
    const urls = { refusing: 'http://127.0.0.1:9', nowhere: 'http://nowhere.invalid', untrusted: untrusted.url }
    for (const [name, url] of Object.entries(urls)) {
      await gateway.addProvider({ vendor: 'openai', url, pattern, name: `${name}-${stream}` })
    }
    const caller = await gateway.createClient()
    const reply = await world.chat({ model, stream }, caller)
    expect([reply.status, errorOf(reply).code]).toEqual([502, 'upstream_unreachable'])
    expect(untrusted.requests).toEqual([])
    expect(await gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  })

  it('[ERR-21] no host at all is 503', async () => {
    const reply = await world.chat({ model: 'anthropic/claude-haiku-4.5', stream })
    expect([reply.status, errorOf(reply).code]).toEqual([503, 'upstream_unavailable'])
  })
})

it.each([false, true])(
  '[ERR-19] hosts that all want a pause are 429 with the shortest of them: stream %j',
  async (stream) => {
    const { gateway } = world
    const [one, other] = await Promise.all([startSimulator(), startSimulator()])
    one.play(faults.rateLimited({ retryAfter: 30 }))
    other.play(faults.rateLimited({ retryAfter: 7 }))
    const pattern = stream ? 'openai/gpt-4o-mini' : 'openai/gpt-5.2'
    await gateway.addProvider({ vendor: 'openai', url: one.url, pattern, name: `one-${stream}` })
    await gateway.addProvider({ vendor: 'openai', url: other.url, pattern, name: `other-${stream}` })
    const caller = await gateway.createClient()
    for (const turn of ['asks', 'is not asked again']) {
      const reply = await world.chat({ model: pattern, stream }, caller)
      expect([reply.status, errorOf(reply).code], turn).toEqual([429, 'upstream_rate_limited'])
      expect(reply.headers.get('retry-after'), turn).toBe('7')
      expect([one.requests.length, other.requests.length], turn).toEqual([1, 1])
    }
    expect(await gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
    await Promise.all([one.close(), other.close()])
  },
)
