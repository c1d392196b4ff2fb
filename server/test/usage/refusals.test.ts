import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const model = 'openai/gpt-4o-mini'
const idOf = (reply: Reply) => reply.headers.get('x-generation-id') ?? ''

describe('a refused request', () => {
  let gateway: TestGateway
  let upstream: Simulator
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
    upstream = await startSimulator()
    await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  const ask = (key: string, more: JsonObject = {}) => callChat(gateway.as(key), { model, ...more })

  async function list(key: string, query: Record<string, string>): Promise<JsonObject[]> {
    const { json } = await gateway.as(key).get(`/v1/generations?${new URLSearchParams(query).toString()}`)
    return Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
  }

  const refusedIdsOf = async (key: string, query = {}) =>
    (await list(key, { status: 'refused', ...query })).map(({ id }) => id)

  /** The refusal as it is listed, as soon as the gateway has written it. */
  async function refused(reply: Reply, key: string): Promise<JsonObject> {
    const read = () => list(key, { status: 'refused', id: reply.headers.get('x-request-id') ?? '' })
    await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(1)
    return (await read())[0] ?? {}
  }

  it('401: a disabled key leaves its request to be found with another key of the account', async () => {
    const { userId, key, keyId } = await gateway.createClient()
    const other = await gateway.addKey(userId)
    await gateway.pool.query('UPDATE api_keys SET enabled = false WHERE id = $1', [keyId])
    const reply = await ask(key)
    expect(reply.status).toBe(401)
    expect(await refused(reply, other.key)).toMatchObject({
      id: idOf(reply),
      model: null,
      api_key_id: keyId,
      api_key_name: 'test',
      endpoint: 'chat',
      refusal: { status: 401, code: 401, error: 'unauthenticated', limit: 'key_disabled' },
    })
  })

  it('401: an unknown key leaves nothing', async () => {
    const before = await gateway.pool.query('SELECT count(*) FROM refusals')
    const reply = await ask('sk-weir-00000000000000000000000000000000')
    expect(reply.status).toBe(401)
    // What comes later is written later, so the row of this refusal proves that the one before has none.
    const { key } = await gateway.createClient({ usd: '0' })
    await refused(await ask(key), key)
    const after = await gateway.pool.query('SELECT count(*) FROM refusals')
    expect(Number(after.rows[0].count)).toBe(Number(before.rows[0].count) + 1)
  })

  it('402: an empty wallet, and a spend limit that is named', async () => {
    const poor = await gateway.createClient({ usd: '0' })
    const ofWallet = await ask(poor.key)
    expect(ofWallet.status).toBe(402)
    expect(await refused(ofWallet, poor.key)).toMatchObject({
      model,
      refusal: { status: 402, code: 'insufficient_credits', error: 'insufficientCredits', limit: 'wallet' },
    })
    const organization = await gateway.createOrganization()
    const { teamId } = await gateway.addTeam(organization.id, { monthlyBudgetUsd: '0.000001' })
    const { memberId } = await gateway.addMember(organization.id, { teamId })
    const { key } = await gateway.addOrganizationKey(organization.id, { memberId, teamId })
    const ofTeam = await ask(key)
    expect(ofTeam.status).toBe(402)
    expect(await refused(ofTeam, key)).toMatchObject({
      member: { id: memberId },
      team: { id: teamId },
      refusal: {
        code: 'budget_cap_reached',
        limit: 'team_month',
        reason: "The team's monthly budget was reached.",
        remedy: expect.any(String),
      },
    })
  })

  it('403: a model that the organization does not allow', async () => {
    const organization = await gateway.createOrganization()
    await gateway.pool.query(`UPDATE organizations SET allowed_models = '{acme/*}' WHERE id = $1`, [organization.id])
    const { memberId } = await gateway.addMember(organization.id)
    const { key } = await gateway.addOrganizationKey(organization.id, { memberId })
    const reply = await ask(key)
    expect(reply.status).toBe(403)
    expect(await refused(reply, key)).toMatchObject({ model, refusal: { code: 'model_not_allowed', limit: null } })
  })

  it('404 and 400: a model that does not exist, without its name where it has no shape of one', async () => {
    const { key } = await gateway.createClient()
    const missing = await ask(key, { model: 'openai/gpt-none' })
    expect(await refused(missing, key)).toMatchObject({
      model: 'openai/gpt-none',
      refusal: { status: missing.status },
    })
    const strange = await ask(key, { model: 'tell nobody about my lighthouse' })
    expect(await refused(strange, key)).toMatchObject({ model: null, refusal: { status: strange.status } })
    const { rows } = await gateway.pool.query('SELECT r::text AS row FROM refusals r')
    expect(rows.map(({ row }) => String(row)).join()).not.toContain('lighthouse')
  })

  it('429: the rate limit of its own key', async () => {
    const slow = await startTestGateway({ WEIR_LIMITS_INFERENCE_LOW: '1' })
    const { key } = await slow.createClient({ usd: '1' })
    const call = () => callChat(slow.as(key), { model: 'test/priced' })
    await call()
    const reply = await call()
    expect(reply.status).toBe(429)
    const path = `/v1/generations?status=refused&id=${idOf(reply)}`
    const read = async () => (await slow.as(key).get(path)).json.data
    await expect
      .poll(read, { timeout: 60_000 })
      .toMatchObject([{ model: 'test/priced', refusal: { status: 429, code: 429, error: 'rateLimited' } }])
    await slow.close()
  })

  it('503: the brake', async () => {
    const { key } = await gateway.createClient()
    const { operators } = createPostgresOperators(gateway.pool)
    await engageBrake(operators, { retryAfterS: 30, reason: 'drill' }, operatorAuthor(Date.now()))
    await gateway.gateway.refresh()
    const reply = await ask(key)
    await releaseBrake(operators, operatorAuthor(Date.now()))
    await gateway.gateway.refresh()
    expect(reply.status).toBe(503)
    expect(await refused(reply, key)).toMatchObject({ refusal: { status: 503, error: 'brakeEngaged' } })
  })

  it('503: a model that no provider serves', async () => {
    const { key } = await gateway.createClient()
    const reply = await ask(key, { provider: { only: ['nobody'] } })
    expect(reply.status).toBe(503)
    expect(await refused(reply, key)).toMatchObject({ model, refusal: { error: 'modelNotServed' } })
  })

  it('is listed beside finished requests if both are wanted, and is no generation', async () => {
    const { key } = await gateway.createClient({ usd: '1' })
    const served = await ask(key)
    expect(served.status).toBe(200)
    const reply = await ask(key, { model: 'openai/gpt-none' })
    await refused(reply, key)
    const idsOf = async (query: Record<string, string>) => (await list(key, query)).map(({ id }) => id)
    expect(await idsOf({})).toEqual([idOf(served)])
    expect(await idsOf({ status: 'any' })).toEqual([idOf(reply), idOf(served)])
    expect(await idsOf({ status: 'any', limit: '1' })).toEqual([idOf(reply)])
    expect(await idsOf({ status: 'any', before: idOf(reply) })).toEqual([idOf(served)])
    expect(await idsOf({ status: 'any', id: idOf(served) })).toEqual([idOf(served)])
    expect(await idsOf({ status: 'refused', id: idOf(served) })).toEqual([])
    expect(await idsOf({ status: 'refused', model: 'openai/gpt-none' })).toEqual([idOf(reply)])
    expect(await idsOf({ status: 'refused', model })).toEqual([])
    const single = await gateway.as(key).get(`/v1/generation?id=${idOf(reply)}`)
    expect(single.status).toBe(404)
  })

  it('is counted by reason, however many there are, while its rows stay few', async () => {
    const { key, keyId } = await gateway.createClient({ usd: '0' })
    const replies: Reply[] = []
    for (let sent = 0; sent < 130; sent += 1) replies.push(await ask(key))
    replies.push(await ask(key, { model: 'openai/gpt-none' }))
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(130)
    const count = async () => (await gateway.as(key).get('/v1/refusals')).json
    await expect.poll(async () => (await count()).total, { timeout: 60_000 }).toBe(131)
    expect((await count()).data).toMatchObject([
      { error: 'insufficientCredits', count: 130, reason: expect.stringContaining('balance') },
      { count: 1 },
    ])
    expect((await gateway.as(key).get(`/v1/refusals?api_key_id=${keyId}`)).json.total).toBe(131)
    expect((await gateway.as(key).get('/v1/refusals?from=2020-01-01&to=2020-02-01')).json).toMatchObject({
      data: [],
      total: 0,
    })
    const { rows } = await gateway.pool.query('SELECT count(*)::integer AS count FROM refusals WHERE key_id = $1', [
      keyId,
    ])
    // A minute may have ended meanwhile.
    expect(rows[0].count).toBeLessThanOrEqual(60 * 3)
    expect(rows[0].count).toBeLessThan(131)
  })

  it('is seen by the same people as a finished request', async () => {
    const organization = await gateway.createOrganization({ usd: '0' })
    const join = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const { memberId, userId } = await gateway.addMember(organization.id, { role })
      const { key } = await gateway.addOrganizationKey(organization.id, { memberId })
      const management = await gateway.addOrganizationKey(organization.id, { memberId, terms: { type: 'management' } })
      const reply = await ask(key)
      await refused(reply, key)
      return { key, management: management.key, id: idOf(reply), userId }
    }
    const [admin, viewer, member] = [await join('org_admin'), await join('billing_viewer'), await join('member')]
    const stranger = await gateway.createClient()
    const totalOf = async (key: string) => (await gateway.as(key).get('/v1/refusals')).json.total
    expect(await refusedIdsOf(admin.management)).toEqual([member.id, viewer.id, admin.id])
    expect(await totalOf(admin.management)).toBe(3)
    for (const { key, management, id } of [viewer, member]) {
      for (const own of [key, management]) {
        expect(await refusedIdsOf(own)).toEqual([id])
        expect(await refusedIdsOf(own, { id: admin.id })).toEqual([])
        expect(await totalOf(own)).toBe(1)
      }
    }
    expect(await refusedIdsOf(stranger.key)).toEqual([])
    expect(await refusedIdsOf(stranger.key, { id: member.id, status: 'any' })).toEqual([])
    expect(await totalOf(stranger.key)).toBe(0)
  })

  it('is found and explained for an operator, by either id', async () => {
    const operator = await gateway.addOperatorKey()
    const { key, keyId, userId } = await gateway.createClient({ usd: '0' })
    const reply = await ask(key)
    await refused(reply, key)
    for (const id of [idOf(reply), reply.headers.get('x-request-id') ?? '']) {
      const { status, json } = await gateway.as(operator.key).get(`/api/admin/requests/${id}`)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        id: idOf(reply),
        state: 'refused',
        key: { id: keyId },
        user: { id: userId },
        hold: null,
        attempts: [],
        receipt: null,
        refusal: { endpoint: 'chat', model, status: 402, limit: 'wallet', reason: expect.any(String) },
      })
    }
  })

  it('is deleted with its person', async () => {
    const { key, userId, walletId } = await gateway.createClient({ usd: '0' })
    await refused(await ask(key), key)
    const cookie = await gateway.signIn(userId)
    const users = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    const { status } = await gateway.as({ cookie }).post('/api/account/delete', { email: users.rows[0]?.email ?? '' })
    expect(status).toBe(204)
    const { rows } = await gateway.pool.query(
      `SELECT (SELECT count(*) FROM refusals WHERE user_id = $1)::integer AS rows,
         (SELECT count(*) FROM refusal_counts WHERE wallet_id = $2)::integer AS counts`,
      [userId, walletId],
    )
    expect(rows).toEqual([{ rows: 0, counts: 0 }])
  })
})
