import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { setBreaker } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { type ChatWorld, startChatWorld, usageOf } from '#test/chat/chat-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

describe('response headers', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld({}, clock)
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const get = (path: string, headers: Record<string, string> = {}) => world.gateway.as().get(path, { headers })

  it('[HEAD-01] let any origin read every answer under /v1, refusals and streams included', async () => {
    const { key } = await world.caller()
    const authorization = `Bearer ${key}`
    const answers = [
      [200, await get('/v1/models')],
      [200, await get('/api/v1/models')],
      [200, await get('/v1/key', { authorization })],
      [401, await get('/v1/key')],
      [404, await get('/v1/nothing')],
      [404, await get('/v1/models/nothing')],
      [400, await get('/v1/models/%')],
      [200, await get('/%76%31/models')],
      [404, await get(`/v1/models/${'x'.repeat(400)}`)],
      [200, await world.chat({})],
      [200, await world.chat({ stream: true })],
      [400, await world.chat({ temperature: 3 })],
      [402, await world.chat({}, { as: await world.caller({ usd: '0' }) })],
      [415, await world.chat({}, { headers: { 'content-type': 'text/plain' } })],
    ] as const
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin'), String(status)).toBe('*')
    }
  })

  it('[HEAD-01] let a page read the ids and limits of documents and of streams', async () => {
    for (const stream of [false, true]) {
      const { headers } = await world.chat({ stream })
      expect(headers.get('access-control-expose-headers')).toContain('x-generation-id')
    }
  })

  it.each(['/v1/chat/completions', '/api/v1/chat/completions', '/v1/key'])(
    '[HEAD-02] allow a preflight to %s',
    async (path) => {
      const response = await world.gateway.as().send('OPTIONS', path, undefined, {
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toContain('POST')
      const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase()
      expect(allowed).toContain('authorization')
      expect(allowed).toContain('content-type')
    },
  )

  it('[HEAD-03] carry a request id of their own, whatever the caller sends', async () => {
    const { key } = await world.caller()
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'mine' }
    const ids = [
      ...(await Promise.all([1, 2, 3].map(() => get('/v1/models', headers)))),
      await get('/v1/key', headers),
      await world.chat({}, { headers }),
      await world.chat({}, { headers }),
      await world.chat({ stream: true }, { headers }),
    ].map((answer) => answer.headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^req_\w{16,64}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('[HEAD-04] [HEAD-05] count down the rate window and say when it ends', async () => {
    const caller = await world.caller()
    const told = async (stream: boolean): Promise<(string | null)[]> => {
      const { headers } = await world.chat({ stream }, { as: caller })
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
    }
    clock.set('2030-01-07T12:00:15Z')
    const reset = String(Date.parse('2030-01-07T12:01:00Z') / 1_000)
    expect(await told(false)).toEqual(['100000', '99999', reset])
    expect(await told(true)).toEqual(['100000', '99998', reset])
    clock.set('2030-01-07T12:00:59.999Z')
    expect(await told(false)).toEqual(['100000', '99997', reset])
    clock.forward(1)
    expect(await told(false)).toEqual(['100000', '99999', String(Number(reset) + 60)])
  })

  it('D3: [HEAD-04] tell the rate of account reads where a request does not count against it', async () => {
    const { key } = await world.caller()
    const authorization = `Bearer ${key}`
    const remaining = async (path: string, headers: Record<string, string> = { authorization }) => {
      const answer = await get(path, headers)
      return [answer.status, answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]
    }
    const submitted = await world.gateway.as(key).post('/v1/videos', { model: 'test/video', prompt: 'a weir' })
    const paths = ['/v1/models', '/v1/models/test-echo', '/v1/images/models', `/v1/videos/${String(submitted.json.id)}`]
    expect(await remaining('/v1/key')).toEqual([200, '600', '599'])
    for (const path of [...paths, ...paths]) expect(await remaining(path), path).toEqual([200, '600', '599'])
    // An anonymous client has no rate limit, so there is no header.
    expect(await remaining('/v1/models', {})).toEqual([200, null, null])
    expect(await remaining('/v1/key')).toEqual([200, '600', '598'])
  })

  it('[HEAD-07] do not depend on who says to have sent the request', async () => {
    const plain = await world.chat({})
    const named = await world.chat({}, { headers: { 'http-referer': 'https://app.example.com', 'x-title': 'App' } })
    expect(named.status).toBe(plain.status)
    expect(usageOf(named)).toEqual(usageOf(plain))
    const [one, other] = world.openai.requests
    expect(other?.body).toEqual(one?.body)
    expect(other?.headers).toEqual({ ...one?.headers })
  })

  it.each(['X-Title', 'X-OpenRouter-Title'])('[HEAD-08] %s becomes the app name of the record', async (name) => {
    const caller = await world.caller()
    for (const title of ['My App', 'x'.repeat(4_000), "'; DROP TABLE generations; --"]) {
      const reply = await world.chat({}, { as: caller, headers: { [name]: title } })
      expect(reply.status).toBe(200)
      const record = await get(`/v1/generation?id=${String(reply.json.id)}`, { authorization: `Bearer ${caller.key}` })
      const expected = title.length > 100 ? expect.stringMatching(/^x+$/) : title
      expect(record.json).toMatchObject({ data: { app_name: expected } })
    }
  })

  it('[HEAD-08] an app name in UTF-8 is read as such', async () => {
    const caller = await world.caller()
    const title = 'Büro 应用 🚀'
    // Clients put UTF-8 bytes into the header; fetch only accepts them as characters.
    const reply = await world.chat({}, { as: caller, headers: { 'x-title': Buffer.from(title).toString('latin1') } })
    const record = await get(`/v1/generation?id=${String(reply.json.id)}`, { authorization: `Bearer ${caller.key}` })
    expect(record.json).toMatchObject({ data: { app_name: title } })
  })

  it('[HEAD-09] tell clients not to retry while the long brake is on, and let them while the short one is', async () => {
    const { operators } = createPostgresOperators(world.gateway.pool)
    for (const retryAfterS of [300, 30] as const) {
      await engageBrake(operators, { retryAfterS, reason: null }, operatorAuthor(Date.now()))
      await world.gateway.gateway.refresh()
      const reply = await world.chat({})
      expect(reply.status).toBe(503)
      expect(reply.headers.get('retry-after')).toBe(String(retryAfterS))
      expect(reply.headers.get('x-should-retry')).toBe(retryAfterS === 300 ? 'false' : null)
    }
    await releaseBrake(operators, operatorAuthor(Date.now()))
    await world.gateway.gateway.refresh()
    expect(world.upstreamCalls()).toBe(0)
    expect((await world.chat({})).headers.get('x-should-retry')).toBeNull()
  })

  it('[HEAD-09] tell clients not to retry when a spend breaker has tripped', async () => {
    const caller = await world.caller()
    const { users } = createPostgresOperators(world.gateway.pool)
    const breaker = { enabled: true, minute: parseUsd('0.01'), hour: null }
    await setBreaker(
      { users, announce: async () => {} },
      { reference: caller.userId, breaker },
      operatorAuthor(0).actor,
    )
    // The first request spends more than the breaker allows.
    const usage = { prompt: 10, completion: 1_000 }
    world.openai.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage }))
    expect((await world.chat({}, { as: caller })).status).toBe(200)
    world.openai.play({ kind: 'echo' })
    const reply = await world.chat({}, { as: caller })
    expect(reply.status).toBe(429)
    expect(reply.headers.get('x-should-retry')).toBe('false')
    expect(world.upstreamCalls()).toBe(1)
  })
})
