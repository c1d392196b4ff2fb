import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endOfSpeech, usualUsage } from '#test/simulators/realtime/realtime-upstream.ts'
import { openRealtime, refusedHandshake } from './realtime-client.ts'
import { hello, type RealtimeWorld, startRealtimeWorld } from './realtime-world.ts'

describe('/v1/realtime', () => {
  let world: RealtimeWorld
  let client: Awaited<ReturnType<RealtimeWorld['createClient']>>
  beforeAll(async () => {
    world = await startRealtimeWorld()
  })
  beforeEach(async () => {
    world.upstream.play({})
    world.upstream.received.length = 0
    world.upstream.handshakes.length = 0
    client = await world.createClient({ usd: '5' })
  })
  afterAll(() => world.close())

  const received = (type: string) => world.upstream.received.filter((event) => event.type === type)

  it('[NEXT-200] [NEXT-202] relays a conversation, and charges each response by its own usage', async () => {
    const session = await world.open(client.key)
    expect(await session.next('session.created')).toMatchObject({ session: { model: 'openai/gpt-realtime' } })
    session.send(hello)
    session.send({ type: 'response.create', event_id: 'mine', response: { output_modalities: ['text'] } })
    const first = await session.next('response.done')
    // 40 tokens of text, 60 cached, 15 of audio, 4 cached; 3 of text and 10 of audio.
    expect(first).toMatchObject({
      generation_id: expect.stringMatching(/^gen-/),
      response: { status: 'completed', usage: { ...usualUsage, cost: 0.0013536 } },
    })
    expect(await world.receiptOf(client.key, first)).toMatchObject({
      model: 'openai/gpt-realtime',
      total_cost: 0.0013536,
      finish_reason: 'stop',
      usage: { prompt_tokens: 119, completion_tokens: 13 },
    })
    world.upstream.play({ usage: { input_tokens: 10, output_tokens: 5 } })
    session.send({ type: 'response.create' })
    expect(await session.next('response.done', 1)).toMatchObject({ response: { usage: { cost: 0.00012 } } })
    expect(await world.walletOf(client.walletId)).toEqual({ balance: '4.9985264', held: '0', charged: '0.0014736' })
    expect(world.upstream.handshakes).toMatchObject([
      { path: '/v1/realtime?model=gpt-realtime', headers: { authorization: 'Bearer upstream-secret' } },
    ])
    expect(received('conversation.item.create')[0]).toEqual(hello)
    expect(session.events.map(({ type }) => type)).toEqual([
      'session.created',
      'conversation.item.added',
      ...Array.from({ length: 2 }, () => [
        'response.created',
        'response.output_audio.delta',
        'response.output_audio_transcript.delta',
        'response.done',
      ]).flat(),
    ])
    await session.close()
    await expect.poll(() => world.upstream.open).toBe(0)
  })

  it.each([
    ['a bare model name', { model: 'gpt-realtime' }],
    ['the other mount', { path: '/api/v1/realtime' }],
  ])('[NEXT-200] takes %s', async (_name, handshake) => {
    const session = await world.open(client.key, handshake)
    await session.next('session.created')
    await session.close()
  })

  it('[NEXT-200] takes the key of a browser as a subprotocol', async () => {
    const protocols = ['realtime', `openai-insecure-api-key.${client.key}`]
    const browser = await openRealtime(world.url, { protocols })
    expect(browser.protocol).toBe('realtime')
    await browser.next('session.created')
    await browser.close()
  })

  it('[NEXT-201] refuses a handshake with the status and body of every endpoint', async () => {
    const { key } = client
    const refusals = [
      [{}, 401, 401],
      [{ key: 'sk-weir-000000000000000000000000' }, 401, 401],
      [{ key, model: '' }, 400, 400],
      [{ key, model: 'openai/nothing' }, 400, 'unknown_model'],
      [{ key, model: 'test/echo' }, 400, 'model_endpoint_mismatch'],
      [{ key, model: 'openai/unpriced' }, 400, 'model_not_priced'],
      [{ key, model: 'google/live' }, 503, 'upstream_unavailable'],
    ] as const
    for (const [handshake, status, code] of refusals) {
      const refused = await refusedHandshake(world.url, handshake)
      expect([refused.status, refused.json.error], refused.message).toMatchObject([status, { code }])
    }
    expect(world.upstream.handshakes).toHaveLength(0)
    const plain = await world.as(key).get('/v1/realtime?model=openai/gpt-realtime')
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect((await world.as().get('/v1/realtime')).status).toBe(401)
  })

  it.each([
    [401, 502, 'upstream_auth_failed'],
    [429, 429, 'upstream_rate_limited'],
    [500, 502, 'upstream_unavailable'],
  ])('[NEXT-201] answers a handshake that the upstream refuses with %i', async (handshakeStatus, status, code) => {
    world.upstream.play({ handshakeStatus })
    const refused = await refusedHandshake(world.url, { key: client.key })
    expect([refused.status, refused.json.error]).toMatchObject([status, { code }])
  })

  it('[NEXT-202] [NEXT-203] holds before the upstream is asked, and always names a cap', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key)
    session.send(hello)
    session.send({ type: 'response.create', response: { max_output_tokens: 'inf' } })
    await session.next('response.created')
    const { held } = await world.walletOf(client.walletId)
    expect(Number(held)).toBeGreaterThan(4_096 * 0.000_064)
    // The context has about a thousand tokens, and not the 32,000 of the model.
    expect(Number(held)).toBeLessThan(0.4)
    expect(received('response.create')[0]).toMatchObject({ response: { max_output_tokens: 4_096 } })
    session.send({ type: 'response.cancel' })
    expect(await session.next('response.done')).toMatchObject({ response: { status: 'cancelled' } })
    expect((await world.walletOf(client.walletId)).held).toBe('0')
    session.send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 77 } })
    session.send({ type: 'response.create' })
    await session.next('response.created', 1)
    expect(received('response.create')[1]).toMatchObject({ response: { max_output_tokens: 77 } })
    session.drop()
  })

  it('[NEXT-203] holds for a full context if a response refers to items, which it may read many times', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create', response: { input: [{ type: 'item_reference', id: 'item_1' }] } })
    await session.next('response.created')
    expect(Number((await world.walletOf(client.walletId)).held)).toBeGreaterThan(32_000 * 0.000_032)
    session.drop()
  })

  it('[NEXT-204] starts responses after speech itself, with a hold', async () => {
    const session = await world.open(client.key)
    expect(await session.next('session.created')).toMatchObject({
      session: { audio: { input: { turn_detection: { type: 'server_vad', create_response: true } } } },
    })
    session.send({ type: 'input_audio_buffer.append', audio: endOfSpeech })
    expect(await session.next('response.done')).toMatchObject({ response: { usage: { cost: 0.0013536 } } })
    expect(received('response.create')).toHaveLength(1)
    expect(received('session.update')).toMatchObject([
      { session: { audio: { input: { turn_detection: { create_response: false } } } } },
    ])
    // A client's own commit starts none.
    session.send({ type: 'input_audio_buffer.commit' })
    await session.next('input_audio_buffer.committed', 1)
    const turnedOff = { type: 'server_vad', create_response: false }
    session.send({
      type: 'session.update',
      session: { type: 'realtime', audio: { input: { turn_detection: turnedOff } } },
    })
    expect(await session.next('session.updated')).toMatchObject({
      session: { audio: { input: { turn_detection: { create_response: false } } } },
    })
    session.send({ type: 'input_audio_buffer.append', audio: endOfSpeech })
    await session.next('input_audio_buffer.committed', 2)
    expect(received('response.create')).toHaveLength(1)
    await session.close()
  })

  it('[NEXT-204] answers speech that ended within a response after it', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.created')
    session.send({ type: 'input_audio_buffer.append', audio: endOfSpeech })
    await session.next('input_audio_buffer.committed')
    expect(received('response.create')).toHaveLength(1)
    world.upstream.play({})
    session.send({ type: 'response.cancel' })
    expect(await session.next('response.done', 1)).toMatchObject({ response: { status: 'completed' } })
    await session.close()
  })

  it('[NEXT-205] runs one response at a time', async () => {
    world.upstream.play({ hangs: true })
    const session = await world.open(client.key)
    session.send({ type: 'response.create' })
    await session.next('response.created')
    session.send({ type: 'response.create', event_id: 'second', response: { conversation: 'none' } })
    expect(await session.next('error')).toMatchObject({
      error: { code: 'conversation_already_has_active_response', event_id: 'second' },
    })
    expect(received('response.create')).toHaveLength(1)
    session.send({ type: 'response.cancel' })
    await session.next('response.done')
    await session.close()
  })

  it('[NEXT-213] lists the model as available, and names the endpoint on others', async () => {
    const { json } = await world.as(client.key).get('/v1/models?available=true')
    const ids = (Array.isArray(json.data) ? json.data : []).map((model) => JSON.stringify(model))
    expect(ids.some((model) => model.includes('"openai/gpt-realtime"'))).toBe(true)
    expect(ids.some((model) => /"(?:openai\/unpriced|google\/live)"/.test(model))).toBe(false)
    const chat = await world.as(client.key).post('/v1/chat/completions', {
      model: 'openai/gpt-realtime',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect([chat.status, chat.json.error]).toMatchObject([
      400,
      { code: 'model_endpoint_mismatch', message: expect.stringContaining('/v1/realtime') },
    ])
  })

  it('[NEXT-214] shows neither limits nor secrets of the upstream', async () => {
    const session = await world.open(client.key)
    world.upstream.say({ type: 'rate_limits.updated', rate_limits: [] })
    const message = 'Key upstream-secret of org-abc123 is limited at https://api.example/v1?token=abc'
    world.upstream.say({ type: 'error', error: { type: 'server_error', code: 'odd', message, event_id: null } })
    const error = JSON.stringify(await session.next('error'))
    expect(error).toContain('odd')
    expect(error).not.toMatch(/upstream-secret|token=abc/)
    expect(session.events.map(({ type }) => type)).not.toContain('rate_limits.updated')
    await session.close()
  })

  it('[NEXT-214] ends a session whose upstream answers without being asked', async () => {
    const session = await world.open(client.key)
    world.upstream.say({ type: 'response.created', response: { id: 'resp_own', status: 'in_progress' } })
    expect(await session.next('error')).toMatchObject({ error: { code: 'pipeline_error' } })
    expect((await session.closed).code).toBe(1011)
    expect(await world.walletOf(client.walletId)).toEqual({ balance: '5', held: '0', charged: '0' })
  })
})
