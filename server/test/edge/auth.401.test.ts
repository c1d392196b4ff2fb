import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { suspendUser } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'

const protectedPaths = [
  ['GET', '/v1/key'],
  ['GET', '/v1/auth/key'],
  ['GET', '/v1/credits'],
  ['GET', '/v1/generation?id=gen-00000000000000000000000000000000'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/cursor/chat/completions'],
] as const

describe('who may call', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld({}, clock)
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function call(method: string, path: string, headers: Record<string, string>) {
    const body = method === 'POST' ? { model: 'openai/gpt-5.2', messages: hello } : undefined
    const { status, json } = await world.gateway.as().send(method, path, body, { headers })
    return { status, json }
  }

  const refusal = { error: { message: expect.any(String), code: 401, type: expect.any(String) } }

  it.each(protectedPaths)('[AUTH-01] not without a credential: %s %s', async (method, path) => {
    expect(await call(method, path, {})).toEqual({ status: 401, json: refusal })
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each(protectedPaths)('[AUTH-02] not with an unknown key: %s %s', async (method, path) => {
    const { key } = await world.caller()
    const unknown = [`sk-weir-${'0'.repeat(43)}`, `${key}0`, key.slice(0, -1), `${key.slice(0, -1)}!`]
    for (const guess of unknown) {
      expect(await call(method, path, { authorization: `Bearer ${guess}` }), guess).toEqual({
        status: 401,
        json: refusal,
      })
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[AUTH-03] not with a key past its expiry', async () => {
    const { key } = await world.caller({ terms: { expiresAtMs: clock.nowMs() + 1_500 } })
    const headers = { authorization: `Bearer ${key}` }
    clock.forward(1_499)
    expect((await call('GET', '/v1/key', headers)).status).toBe(200)
    clock.forward(1)
    expect(await call('GET', '/v1/key', headers)).toEqual({ status: 401, json: refusal })
    expect(await call('POST', '/v1/chat/completions', headers)).toEqual({ status: 401, json: refusal })
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[AUTH-09] a management key may read about itself, and never call a model', async () => {
    const { key } = await world.caller({ terms: { type: 'management' } })
    const headers = { authorization: `Bearer ${key}` }
    const info = await call('GET', '/v1/key', headers)
    expect(info).toMatchObject({ status: 200, json: { data: { is_management_key: true } } })
    expect((await call('POST', '/v1/chat/completions', headers)).status).toBe(403)
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[AUTH-10] not from a suspended account, which is told so', async () => {
    const caller = await world.caller()
    const { users } = createPostgresOperators(world.gateway.pool)
    const change = { reference: caller.userId, suspended: true }
    await suspendUser({ users, announce: async () => {} }, change, operatorAuthor(Date.now()))
    for (const [method, path] of protectedPaths) {
      const answer = await call(method, path, { authorization: `Bearer ${caller.key}` })
      expect(answer.status, path).toBe(403)
      expect(answer.json).toMatchObject({ error: { code: 403, message: expect.stringMatching(/suspended/) } })
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[AUTH-18] not with a session cookie alone, wherever it comes from', async () => {
    const { userId } = await world.caller()
    const cookie = await world.gateway.signIn(userId)
    // The session is valid at endpoints that accept sessions.
    expect((await call('GET', '/v1/orgs', { cookie })).status).toBe(200)
    for (const others of [{}, { origin: 'https://evil.example.com' }, { origin: world.gateway.url }]) {
      for (const path of ['/v1/chat/completions', '/v1/cursor/chat/completions', '/api/v1/chat/completions']) {
        expect(await call('POST', path, { cookie, ...others }), path).toEqual({ status: 401, json: refusal })
      }
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it('a key is enough, whatever cookie a browser adds', async () => {
    const { key } = await world.caller()
    const headers = { authorization: `Bearer ${key}`, cookie: 'weir_session=x', origin: 'https://app.example.com' }
    expect((await call('POST', '/v1/chat/completions', headers)).status).toBe(200)
  })

  it('[P13] the credential is judged before the body is read', async () => {
    const response = await world.gateway.as().post('/v1/chat/completions', '{"model":')
    expect(response.status).toBe(401)
  })
})
