import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { hello, type RealtimeWorld, startRealtimeWorld } from './realtime-world.ts'

const untouched = { balance: '5', held: '0', charged: '0' }

describe('the end of a realtime response or session', () => {
  const clock = createTestClock('2030-01-07T12:00:00Z')
  const timers = createTestTimers()
  let world: RealtimeWorld
  let client: Awaited<ReturnType<RealtimeWorld['createClient']>>
  beforeAll(async () => {
    world = await startRealtimeWorld({}, { nowMs: clock.nowMs, timers })
  })
  beforeEach(async () => {
    clock.forward(1)
    world.upstream.play({})
    world.upstream.received.length = 0
    client = await world.createClient({ usd: '5' })
  })
  afterAll(() => world.close())

  const wallet = () => world.walletOf(client.walletId)

  it('[NEXT-206] costs nothing if the upstream rejects it, and the session goes on', async () => {
    const session = await world.open(client.key)
    world.upstream.play({ rejects: { type: 'invalid_request_error', code: 'odd_voice', message: 'No such voice.' } })
    session.send({ type: 'response.create', event_id: 'mine' })
    expect(await session.next('error')).toMatchObject({ error: { code: 'odd_voice', event_id: 'mine' } })
    expect(await wallet()).toEqual(untouched)
    world.upstream.play({})
    session.send({ type: 'response.create' })
    await session.next('response.done')
    await session.close()
  })

  it.each([
    ['no usage', { usage: null }],
    ['usage of zero', { usage: { input_tokens: 0, output_tokens: 0 } }],
    ['a failure without usage', { status: 'failed', usage: null }],
  ])('[NEXT-206] costs nothing with %s', async (_name, play) => {
    world.upstream.play(play)
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    expect(await session.next('response.done')).toMatchObject({ response: { usage: { cost: 0 } } })
    expect(await wallet()).toEqual(untouched)
    await session.close()
  })

  it('[NEXT-206] costs nothing if the upstream breaks off, and the session ends', async () => {
    world.upstream.play({ breaks: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    expect(await session.next('error')).toMatchObject({ error: { code: 'upstream_unavailable' } })
    expect((await session.closed).code).toBe(1011)
    expect(await wallet()).toEqual(untouched)
  })

  it('[NEXT-206] ends a session whose upstream says nothing within a response', async () => {
    world.upstream.play({ hangs: true, ignoresCancel: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.output_audio_transcript.delta')
    clock.forward(120_001)
    await timers.pass(15_000)
    expect(await session.next('error')).toMatchObject({ error: { code: '504' } })
    // Its last words are awaited for five seconds.
    await timers.pass(5_000)
    expect((await session.closed).code).toBe(1011)
    expect(await wallet()).toEqual(untouched)
  })

  it('[NEXT-207] charges the usage of a response that its client has left', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.created')
    session.drop()
    await expect.poll(wallet).toEqual({ balance: '4.9986464', held: '0', charged: '0.0013536' })
    expect(world.upstream.received.map(({ type }) => type)).toContain('response.cancel')
    await expect.poll(() => world.upstream.open).toBe(0)
  })

  it('[NEXT-207] charges nothing without that usage', async () => {
    world.upstream.play({ hangs: true, ignoresCancel: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.created')
    session.drop()
    await expect.poll(() => world.upstream.received.map(({ type }) => type)).toContain('response.cancel')
    await timers.pass(5_000)
    await expect.poll(wallet).toEqual(untouched)
  })

  it('[NEXT-208] ends once the credit does not cover a response', async () => {
    const poor = await world.createClient({ usd: '0.2' })
    const session = await world.open(poor.key)
    session.send(hello)
    session.send({ type: 'response.create' })
    expect(await session.next('error')).toMatchObject({
      error: { type: 'billing_error', code: 'insufficient_credits' },
    })
    expect(await session.closed).toEqual({ code: 1008, reason: 'insufficient_credits' })
    expect(world.upstream.received.map(({ type }) => type)).not.toContain('response.create')
    expect((await world.walletOf(poor.walletId)).held).toBe('0')
  })

  it('[NEXT-208] ends at a spend limit of its key', async () => {
    const limited = await world.createClient({ usd: '5', terms: { limit: parseUsd('0.2') } })
    const session = await world.open(limited.key)
    session.send({ type: 'response.create' })
    expect(await session.next('error')).toMatchObject({ error: { code: 'spend_limit_exceeded' } })
    expect((await session.closed).code).toBe(1008)
  })

  it('[NEXT-208] ends once its key is revoked, also while nothing happens', async () => {
    const session = await world.open(client.key)
    await world.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [client.keyId])
    clock.forward(16_000)
    await expect
      .poll(async () => {
        await timers.pass(15_000)
        return session.events.map(({ type }) => type)
      })
      .toContain('error')
    expect(await session.next('error')).toMatchObject({ error: { type: 'authentication_error', code: '401' } })
    expect((await session.closed).code).toBe(1008)
  })

  it('[NEXT-208] ends once its run is stopped, within a response that is charged as far as it came', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key, { headers: { 'x-weir-run': 'talk' } })
    session.send({ type: 'response.create' })
    await session.next('response.created')
    expect((await world.as(client.key).send('POST', '/v1/runs/talk/stop', {})).status).toBe(200)
    expect(await session.next('error')).toMatchObject({ error: { code: 'run_stopped' } })
    expect((await session.closed).code).toBe(1008)
    await expect.poll(wallet).toEqual({ balance: '4.9986464', held: '0', charged: '0.0013536' })
  })

  it('[NEXT-212] ends after its maximum duration', async () => {
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.done')
    clock.forward(3_600_001)
    await timers.pass(15_000)
    expect(await session.next('error')).toMatchObject({
      error: { code: 'session_expired', message: expect.stringContaining('maximum duration') },
    })
    expect((await session.closed).code).toBe(1000)
  })

  it('[NEXT-212] ends after the silence of its client', async () => {
    const session = await world.open(client.key)
    clock.forward(900_001)
    await timers.pass(15_000)
    expect(await session.next('error')).toMatchObject({ error: { code: 'session_expired' } })
    expect((await session.closed).code).toBe(1000)
  })
})

describe('a gateway that shuts down', () => {
  it('[NEXT-212] settles running responses, then closes sessions with 1001', async () => {
    const world = await startRealtimeWorld()
    const client = await world.createClient({ usd: '5' })
    const [idle, busy] = [await world.open(client.key), await world.open(client.key)]
    world.upstream.play({ hangs: true })
    busy.send({ type: 'response.create' })
    await busy.next('response.created')
    const closed = world.gateway.drain()
    expect((await idle.closed).code).toBe(1001)
    busy.send({ type: 'response.cancel' })
    expect(await busy.next('response.done')).toMatchObject({ response: { usage: { cost: 0.0013536 } } })
    expect((await busy.closed).code).toBe(1001)
    await closed
    await world.upstream.close()
  })
})
