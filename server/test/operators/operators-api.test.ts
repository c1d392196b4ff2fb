import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const canary = 'sk-vendor-canary-77c1'

describe("the operators' API", () => {
  let gateway: TestGateway
  let upstream: Simulator
  let operator: { keyId: string; key: string }

  beforeAll(async () => {
    gateway = await startTestGateway()
    upstream = await startSimulator()
    operator = await gateway.addOperatorKey()
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  async function call(method: string, path: string, body?: object, key = operator.key) {
    const { status, text, json } = await gateway.as(key).send(method, `/api/admin${path}`, body)
    expect(text).not.toContain('sk-vendor')
    expect(text).not.toContain('wrappedKey')
    return { status, body: json }
  }

  const chat = (key: string) => callChat(gateway.as(key), { model: 'openai/gpt-4o-mini' })

  /** The platform log entries of this operator, in order. */
  async function logged(): Promise<JsonObject[]> {
    const { rows } = await gateway.pool.query<JsonObject>(
      `SELECT action, actor_kind, actor_id, actor_name, before, after, details FROM audit_entries
       WHERE actor_id = $1 ORDER BY sequence`,
      [operator.keyId],
    )
    return rows
  }

  it('adds an account and a route that serve calls, and replaces the key that goes out', async () => {
    const made = await call('POST', '/providers', {
      vendor: 'openai',
      baseUrl: `${upstream.url}/v1`,
      key: canary,
      weight: 3,
    })
    expect(made).toMatchObject({ status: 201, body: { name: 'openai', hasKey: true, enabled: true, weight: 3 } })
    const route = { pattern: 'openai/*', account: 'openai', priority: 2 }
    expect(await call('POST', '/routes', route)).toMatchObject({ status: 201, body: { ...route, upstreamModel: null } })
    await gateway.gateway.refresh()
    const { key } = await gateway.createClient()
    expect((await chat(key)).status).toBe(200)
    expect(upstream.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${canary}`)
    expect((await call('PUT', '/providers/openai/key', { key: ' sk-vendor-second\n' })).status).toBe(204)
    // In force within a second, without a request for it.
    await expect
      .poll(async () => {
        await chat(key)
        return upstream.requests.at(-1)?.headers['authorization']
      })
      .toBe('Bearer sk-vendor-second')
    expect(await call('GET', '/providers')).toMatchObject({ body: { data: [{ name: 'openai', keepsPrompts: null }] } })
    expect(await call('GET', '/routes')).toMatchObject({ body: { data: [{ ...route, accountEnabled: true }] } })
  })

  it('changes what is named and nothing else', async () => {
    const change = { keepsPrompts: false, variant: 'eu', api: 'responses' }
    const changed = await call('PATCH', '/providers/openai', change)
    expect(changed).toMatchObject({ status: 200, body: { ...change, weight: 3, enabled: true } })
    expect(await call('PATCH', '/providers/openai', { enabled: false, api: null })).toMatchObject({
      body: { ...change, enabled: false, api: null },
    })
    await gateway.gateway.refresh()
    const { key } = await gateway.createClient()
    expect((await chat(key)).status).toBe(503)
    await call('PATCH', '/providers/openai', { enabled: true })
    const entries = (await logged()).length
    expect((await call('PATCH', '/providers/openai', { enabled: true, variant: 'eu' })).status).toBe(200)
    expect(await logged()).toHaveLength(entries)
  })

  it('answers the state of the catalogue', async () => {
    await gateway.gateway.refresh()
    const { rows } = await gateway.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM models')
    expect(await call('GET', '/catalogue')).toMatchObject({
      status: 200,
      body: { revision: expect.any(Number), models: rows[0]?.count, retired: expect.any(Number), enabledProviders: 1 },
    })
  })

  it('engages and releases the brake', async () => {
    expect(await call('PUT', '/brake', { engaged: true, retryAfterS: 30, reason: 'drill' })).toMatchObject({
      status: 200,
      body: { engaged: true, retryAfterS: 30, reason: 'drill' },
    })
    expect(await call('GET', '/brake')).toMatchObject({ body: { engaged: true, reason: 'drill' } })
    const { key } = await gateway.createClient()
    await gateway.gateway.refresh()
    expect((await chat(key)).headers.get('retry-after')).toBe('30')
    expect(await call('PUT', '/brake', { engaged: false })).toMatchObject({ status: 200, body: { engaged: false } })
    await gateway.gateway.refresh()
    expect((await chat(key)).status).toBe(200)
  })

  it('suspends a person at once, and lifts it', async () => {
    const caller = await gateway.createClient()
    expect((await chat(caller.key)).status).toBe(200)
    expect((await call('POST', `/users/${caller.userId}/suspend`)).body).toMatchObject({ suspended: true })
    expect((await chat(caller.key)).status).toBe(403)
    expect((await call('POST', `/users/${caller.userId}/unsuspend`)).body).toMatchObject({ suspended: false })
    expect((await chat(caller.key)).status).toBe(200)
  })

  it.each([
    ['[MONEY-05] with its fee', 'usd', 110, ['top_up 100000000000', 'fee 10000000000']],
    ['[MONEY-06] with its fee and tax', 'local', 115, ['top_up 100000000000', 'fee 10000000000', 'tax 5000000000']],
  ])('books a top-up of $100 %s beside it, and the wallet grows by $100', async (_what, source, paidUsd, items) => {
    const caller = await gateway.createClient({ usd: '0' })
    const credited = await call('POST', `/wallets/${caller.userId}/credit`, { amountUsd: 100, source })
    expect(credited).toMatchObject({ status: 200, body: { walletId: caller.walletId, balanceUsd: 100, paidUsd } })
    const { data } = await gateway.as(caller).get('/v1/credits')
    expect(data).toEqual({ total_credits: 100, total_usage: 0 })
    expect((await gateway.as(caller).get('/v1/key')).data).toMatchObject({ limit_remaining: 100 })
    const { rows } = await gateway.pool.query<{ item: string }>(
      `SELECT kind || ' ' || amount_nano AS item FROM ledger_transfers WHERE wallet_id = $1 ORDER BY id, leg`,
      [caller.walletId],
    )
    expect(rows.map(({ item }) => item)).toEqual(items)
  })

  it('credits a wallet with parts of a dollar, and grants', async () => {
    const caller = await gateway.createClient({ usd: '0' })
    const credited = await call('POST', `/wallets/${caller.userId}/credit`, { amountUsd: 20.5, source: 'local' })
    expect(credited).toMatchObject({
      status: 200,
      body: { walletId: caller.walletId, balanceUsd: 20.5, paidUsd: 23.58 },
    })
    await call('POST', `/wallets/${caller.walletId}/credit`, { amountUsd: 0.1, source: 'grant', note: 'sorry' })
    expect(await gateway.walletOf(caller.walletId)).toMatchObject({ balance: '20.6' })
  })

  it.each([
    ['PATCH', '/providers/%00', { enabled: true }],
    ['PUT', '/providers/%00/key', { key: canary }],
    ['POST', '/users/a%00b/suspend', {}],
    ['POST', '/users/a%00b/unsuspend', {}],
    ['POST', '/wallets/a%00b/credit', { amountUsd: 1 }],
  ])('finds nothing of a name with a zero byte: %s %s', async (method, path, body) => {
    expect((await call(method, path, body)).status).toBe(404)
  })

  it('removes a route', async () => {
    expect((await call('DELETE', '/routes?pattern=openai/*&account=openai')).status).toBe(204)
    expect((await call('DELETE', '/routes?pattern=openai/*&account=openai')).status).toBe(404)
    expect((await call('DELETE', '/routes?pattern=openai/*')).status).toBe(400)
  })

  it('leaves every change in the log of the platform, with the key that made it and without credentials', async () => {
    const entries = await logged()
    expect(entries.map(({ action }) => action)).toEqual([
      'provider.add',
      'route.add',
      'provider.key.replace',
      'provider.update',
      'provider.update',
      'provider.update',
      'brake.on',
      'brake.off',
      'user.suspend',
      'user.unsuspend',
      'user.credit',
      'user.credit',
      'user.credit',
      'user.credit',
      'route.remove',
    ])
    expect(entries[0]).toMatchObject({ actor_kind: 'operator', actor_name: 'on call' })
    expect(entries[3]).toMatchObject({ before: { variant: '' }, after: { variant: 'eu', keepsPrompts: false } })
    expect(JSON.stringify(entries)).not.toContain('sk-vendor')
  })

  it.each<[string, string, object, number]>([
    ['POST', '/providers', {}, 400],
    ['POST', '/providers', { vendor: 'nobody', key: 'k' }, 400],
    ['POST', '/providers', { vendor: 'openai', name: 'openai', key: 'k' }, 400],
    ['POST', '/providers', { vendor: 'groq', key: 5 }, 400],
    ['POST', '/providers', { vendor: 'groq', key: 'k', weight: 0 }, 400],
    ['POST', '/providers', { vendor: 'groq', key: 'k', weight: 1.5 }, 400],
    ['PATCH', '/providers/openai', { weight: 1_001 }, 400],
    ['PATCH', '/providers/openai', { enabled: 'no' }, 400],
    ['PATCH', '/providers/openai', { overrides: {} }, 400],
    ['PATCH', '/providers/openai', { overrides: [{ sampling: 'all' }] }, 400],
    ['PATCH', '/providers/openai', { overrides: [{ leaveOut: ['messages'] }] }, 400],
    ['PATCH', '/providers/openai', { variant: 'E U' }, 400],
    ['PATCH', '/providers/openai', { api: 'telegraph' }, 400],
    ['PATCH', '/providers/nobody', { enabled: true }, 404],
    ['PUT', '/providers/openai/key', { key: ' ' }, 400],
    ['PUT', '/providers/openai/key', {}, 400],
    ['PUT', '/providers/nobody/key', { key: 'k' }, 404],
    ['POST', '/routes', { pattern: 'OpenAI/x', account: 'openai' }, 400],
    ['POST', '/routes', { pattern: '*', account: 'nobody' }, 404],
    ['PUT', '/brake', { engaged: true, retryAfterS: 60 }, 400],
    ['PUT', '/brake', {}, 400],
    ['POST', '/users/nobody@weir.test/suspend', {}, 404],
    ['POST', '/wallets/nobody/credit', { amountUsd: 1 }, 404],
    ['POST', '/wallets/nobody/credit', { amountUsd: '1' }, 400],
    ['POST', '/wallets/nobody/credit', { amountUsd: 1e-10 }, 400],
    ['POST', '/wallets/nobody/credit', { amountUsd: 1, source: 'gift' }, 400],
  ])('%s %s with %j is refused with %i', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status)
  })

  it("is closed to everybody else's keys, and an operator's key opens nothing else", async () => {
    const caller = await gateway.createClient()
    const manager = await gateway.addKey(caller.userId, { type: 'management' })
    for (const key of [caller.key, manager.key]) {
      expect((await call('GET', '/providers', undefined, key)).status).toBe(403)
      expect((await call('PUT', '/brake', { engaged: true }, key)).status).toBe(403)
    }
    expect((await chat(operator.key)).status).toBe(403)
    for (const path of ['/v1/key', '/v1/credits', '/v1/keys']) {
      expect((await gateway.as(operator).get(path)).status, path).toBe(403)
    }
  })

  it('refuses an operator whose key was revoked, by the command that revokes any other', async () => {
    const other = await gateway.addOperatorKey()
    expect((await call('GET', '/brake', undefined, other.key)).status).toBe(200)
    const keys = createPostgresOperators(gateway.pool).keys
    const announced: unknown[] = []
    const announce = async (message: unknown) => void announced.push(message)
    await revokeKey({ keys, announce }, { keyId: other.keyId, account: null }, operatorAuthor(Date.now()))
    expect(announced).toHaveLength(1)
    const fresh = await gateway.addOperatorKey()
    await revokeKey({ keys, announce }, { keyId: fresh.keyId, account: null }, operatorAuthor(Date.now()))
    expect((await call('GET', '/brake', undefined, fresh.key)).status).toBe(401)
  })
})
