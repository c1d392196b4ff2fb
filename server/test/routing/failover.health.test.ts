import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorOf } from '#test/chat/chat-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
const failures = 3
const openMs = 60_000

describe('a host that fails several calls in a row', () => {
  let world: HostsWorld
  // Each test has its own world: a process does not forget a provider's health.
  beforeEach(async () => {
    const settings = { WEIR_BREAKER_FAILURES: String(failures), WEIR_BREAKER_OPEN_MS: String(openMs) }
    world = await startHostsWorld(settings, clock)
    return () => world.close()
  })

  it.each([false, true])(
    '[ROUTE-16] sees no more of them, and is used again after it recovers: stream %j',
    async (stream) => {
      world.hosts.groq.play(faults.serverError(500))
      for (let call = 0; call < failures; call += 1) expect((await world.chat({ stream })).status).toBe(200)
      expect(world.asked()).toEqual({ groq: failures, together: failures })
      world.reset()
      for (let call = 0; call < 9; call += 1) expect((await world.chat({ stream })).status).toBe(200)
      clock.forward(openMs - 1)
      expect((await world.chat({ stream })).status).toBe(200)
      expect(world.asked()).toEqual({ together: 10 })
      clock.forward(1)
      world.reset()
      for (let call = 0; call < 5; call += 1) expect((await world.chat({ stream })).status).toBe(200)
      expect(world.asked()).toEqual({ groq: 5 })
    },
  )

  it('[ROUTE-16] has its circuit opened as well when its streams begin and then break', async () => {
    world.hosts.groq.play(faults.resetMidStream())
    for (let call = 0; call < failures; call += 1) {
      expect((await world.chat({ stream: true })).chunks.at(-1)).toHaveProperty('error')
    }
    const after = await world.chat({ stream: true })
    expect(after.chunks.at(-1)).not.toHaveProperty('error')
    expect(world.asked()).toEqual({ groq: failures, together: 1 })
  })

  it('[ROUTE-16] keeps its circuit closed while good answers come in between', async () => {
    world.hosts.groq.playNext(faults.serverError(500), faults.serverError(500))
    await world.chat({})
    await world.chat({})
    // A success resets the count.
    await world.chat({})
    world.hosts.groq.playNext(faults.serverError(500))
    await world.chat({})
    await world.chat({})
    expect(world.asked()).toEqual({ groq: 5, together: 3 })
  })

  it('[ROUTE-16] [ROUTE-15] is asked before a call is lost, however many come at once', async () => {
    const provider = { only: ['groq', 'together'] }
    world.hosts.groq.play(faults.serverError(500))
    for (let call = 0; call < failures; call += 1) await world.chat({ provider })
    // The first is healthy again without the gateway's knowledge; then the second dies.
    world.reset()
    world.hosts.together.play(faults.resetOnAccept())
    clock.forward(openMs / 10)
    const replies = await Promise.all(Array.from({ length: 20 }, () => world.chat({ provider })))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  })
})

describe('a host that wants a pause', () => {
  let world: HostsWorld
  const pausesMs: number[] = []
  beforeAll(async () => {
    const wait = async (ms: number): Promise<void> => {
      pausesMs.push(ms)
      clock.forward(ms)
    }
    world = await startHostsWorld({}, { ...clock, wait })
  })
  afterAll(() => world.close())

  it.each([false, true])(
    '[ROUTE-15] is left alone for as long as it asked, and then used again: stream %j',
    async (stream) => {
      const provider = { only: stream ? ['groq', 'together'] : ['deepinfra', 'fireworks'] }
      const first = stream ? world.hosts.groq : world.hosts.deepinfra
      first.forget()
      first.playNext(faults.rateLimited({ retryAfter: 7 }))
      for (let call = 0; call < 6; call += 1) expect((await world.chat({ stream, provider })).status).toBe(200)
      clock.forward(6_999)
      expect((await world.chat({ stream, provider })).status).toBe(200)
      expect(first.requests).toHaveLength(1)
      clock.forward(1)
      expect((await world.chat({ stream, provider })).status).toBe(200)
      expect(first.requests).toHaveLength(2)
    },
  )

  it('[ROUTE-15] is waited for when it asks for little and nobody else is left', async () => {
    const provider = { only: ['together'] }
    world.reset()
    world.hosts.together.playNext(faults.rateLimited({ retryAfter: 1 }))
    const reply = await world.chat({ provider })
    expect(reply.status, reply.text).toBe(200)
    expect(world.asked()).toEqual({ together: 2 })
    expect(pausesMs).toEqual([1_000])
  })
})

it('[ROUTE-15] hosts that fail are asked again for a tenth of calls at most', async () => {
  const world = await startHostsWorld({}, { wait: async () => {} })
  world.reset(faults.serverError(500))
  const calls = 60
  const replies = await Promise.all(Array.from({ length: calls }, () => world.chat({ provider: { only: ['groq'] } })))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([502]))
  const retries = world.hosts.groq.requests.length - calls
  expect(retries).toBeGreaterThan(0)
  expect(retries).toBeLessThanOrEqual(10 + calls / 10)
  await world.close()
})

it('[ERR-21] an upstream with an open circuit and no other: 503 at once, without asking it', async () => {
  const settings = { WEIR_BREAKER_FAILURES: '2', WEIR_BREAKER_OPEN_MS: String(openMs) }
  const world = await startHostsWorld(settings, { ...clock, wait: async () => {} })
  const provider = { only: ['groq'] }
  world.hosts.groq.play(faults.serverError(500))
  // Called twice, because the failure may be transient.
  const failed = await world.chat({ provider })
  expect([failed.status, errorOf(failed).code, world.asked()]).toEqual([502, 'upstream_unavailable', { groq: 2 }])
  // A provider that fails for a single payer still serves others.
  const other = await world.chat({ provider }, await world.gateway.createClient())
  expect([other.status, errorOf(other).code, world.asked()]).toEqual([502, 'upstream_unavailable', { groq: 3 }])
  for (const stream of [false, true]) {
    world.reset()
    const caller = await world.gateway.createClient()
    const refused = await world.chat({ provider, stream }, caller)
    expect([refused.status, errorOf(refused).code]).toEqual([503, 'upstream_unavailable'])
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(world.asked()).toEqual({})
    expect(await world.gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  }
  await world.close()
})
