import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refusedHandshake } from './realtime-client.ts'
import { type RealtimeWorld, startRealtimeWorld } from './realtime-world.ts'

describe('the bounds of realtime sessions', () => {
  let world: RealtimeWorld
  let client: Awaited<ReturnType<RealtimeWorld['createClient']>>
  beforeAll(async () => {
    world = await startRealtimeWorld({
      WEIR_REALTIME_SESSIONS_MAX: '3',
      WEIR_REALTIME_KEY_SESSIONS_MAX: '2',
      WEIR_REALTIME_MESSAGE_BYTES_MAX: '65536',
      WEIR_LIMITS_INFERENCE_FUNDED: '4',
      WEIR_LIMITS_INFERENCE_LOW: '4',
    })
  })
  beforeEach(async () => {
    world.upstream.play({})
    world.upstream.received.length = 0
    client = await world.createClient({ usd: '20' })
  })
  afterAll(() => world.close())

  const sessionsOpen = async () => /^weir_realtime_sessions (\d+)$/m.exec(await world.readMetrics())?.[1]

  it('[NEXT-211] are a count for each key and for the process', async () => {
    const other = await world.createClient({ usd: '20' })
    const sessions = [await world.open(client.key), await world.open(client.key)]
    const refused = await refusedHandshake(world.url, { key: client.key })
    expect([refused.status, refused.json.error]).toMatchObject([429, { type: 'rate_limit_error' }])
    sessions.push(await world.open(other.key))
    expect((await refusedHandshake(world.url, { key: other.key })).status).toBe(503)
    expect(await sessionsOpen()).toBe('3')
    await Promise.all(sessions.map((session) => session.close()))
    await expect.poll(sessionsOpen).toBe('0')
    await (await world.open(client.key)).close()
    await expect.poll(sessionsOpen).toBe('0')
  })

  it('[NEXT-211] end a session with a message that is too large, or not text', async () => {
    const large = await world.open(client.key)
    large.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(65_536) })
    expect((await large.closed).code).toBe(1009)
    const binary = await world.open(client.key)
    binary.sendText(Buffer.from([1, 2, 3]))
    expect((await binary.closed).code).toBe(1003)
    await expect.poll(sessionsOpen).toBe('0')
  })

  it('[NEXT-211] stop the upstream while a client does not read', async () => {
    const session = await world.open(client.key)
    await session.next('session.created')
    session.pause()
    const delta = 'A'.repeat(60_000)
    // More than the kernel buffers of both connections hold.
    for (let sent = 0; sent < 600; sent += 1) world.upstream.say({ type: 'response.output_audio.delta', delta })
    const other = await world.open(client.key)
    // Each round trip is a turn in which a gateway without back-pressure would read on.
    for (let turn = 0; turn < 1_000; turn += 1) {
      other.send({ type: 'input_audio_buffer.commit' })
      await other.next('input_audio_buffer.committed', turn)
    }
    expect(world.upstream.unsentBytes).toBeGreaterThan(1_000_000)
    await other.close()
    session.resume()
    await session.next('response.output_audio.delta', 599)
    expect(world.upstream.unsentBytes).toBe(0)
    await session.close()
  })

  it('[NEXT-216] count the session and each response as a request', async () => {
    const session = await world.open(client.key)
    for (let count = 0; count < 3; count += 1) {
      session.send({ type: 'response.create' })
      await session.next('response.done', count)
    }
    session.send({ type: 'response.create', event_id: 'fourth' })
    expect(await session.next('error')).toMatchObject({ error: { type: 'rate_limit_error', event_id: 'fourth' } })
    // The session stays open.
    session.send({ type: 'input_audio_buffer.commit' })
    await session.next('input_audio_buffer.committed')
    await session.close()
  })

  it('[NEXT-216] attribute each response to the customer and the run of the handshake', async () => {
    const invalid = { key: client.key, headers: { 'x-weir-tags': 'voice' } }
    expect((await refusedHandshake(world.url, invalid)).status).toBe(400)
    const headers = { 'x-weir-customer': 'acme', 'x-weir-run': 'talk-1', 'x-weir-tags': 'channel=voice' }
    const session = await world.open(client.key, { headers })
    session.send({ type: 'response.create' })
    const done = await session.next('response.done')
    expect(await world.receiptOf(client.key, done)).toMatchObject({
      customer: 'acme',
      run: 'talk-1',
      tags: { channel: 'voice' },
    })
    await session.close()
  })
})
