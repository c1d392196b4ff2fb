import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { makeEndCustomer, makeRun, makeThings, type Things } from '#test/attack/isolation/make-things.ts'
import { listRoutes } from '#test/edge/list-routes.ts'
import { type Client, createClient } from '#test/setup/client.ts'
import { createTestClock, type TestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { TestMember, TestOrganization } from '#test/setup/organizations.ts'
import type { Reply } from '#test/setup/reply.ts'

/** What a view shows, and nothing else. */
const shown = `/api/console/state /api/operator
  /v1/models /v1/models/{author}/{slug} /v1/models/{slug} /v1/models/{author}/{slug}/endpoints
  /v1/models/{slug}/endpoints /v1/images/models
  /v1/credits /v1/generation /v1/generations /v1/refusals /v1/usage /v1/insights /v1/insights/changes
  /v1/insights/what-if /api/user/circuit-breaker
  /v1/videos /v1/videos/{jobId} /v1/video/generations/{jobId} /v1/webhooks/deliveries
  /v1/keys /v1/keys/{id}/limits
  /v1/customers /v1/customers/{customerId} /v1/customers/{customerId}/usage
  /v1/runs /v1/runs/{runId}
  /v1/customers/{customerId}/statement /v1/customers/{customerId}/tokens /v1/customer-settings
  /api/wallets/{walletId} /api/wallets/{walletId}/transactions /api/wallets/{walletId}/holds
  /api/wallets/{walletId}/statement /api/wallets/{walletId}/alerts
  /api/wallets/{walletId}/statement /api/wallets/{walletId}/notices
  /api/payments /api/payments/quote /api/wallets/{walletId}/top-ups /api/wallets/{walletId}/top-ups/{topUpId}
  /api/wallets/{walletId}/payment-methods /api/wallets/{walletId}/auto-top-up
  /api/wallets/{walletId}/billing-profile /api/wallets/{walletId}/invoices /api/wallets/{walletId}/invoices/{number}
  /v1/orgs /v1/orgs/{orgId} /v1/orgs/{orgId}/teams /v1/orgs/{orgId}/teams/{teamId} /v1/orgs/{orgId}/members
  /v1/orgs/{orgId}/members/{memberId} /v1/orgs/{orgId}/invitations /v1/orgs/{orgId}/keys
  /v1/orgs/{orgId}/keys/{keyId}/limits
  /api/orgs/{orgId}/allowed-models /api/orgs/{orgId}/teams/{teamId}/allowed-models
  /api/orgs/{orgId}/members/{memberId}/allowed-models
  /api/orgs/{orgId}/circuit-breaker /api/orgs/{orgId}/teams/{teamId}/circuit-breaker
  /api/orgs/{orgId}/members/{memberId}/circuit-breaker
  /api/orgs/{orgId}/content-filters /api/orgs/{orgId}/own-keys /api/orgs/{orgId}/own-keys/{ownKeyId}
  /api/orgs/{orgId}/audit-log
  /api/orgs/{orgId}/reports/overview /api/orgs/{orgId}/reports/by-team /api/orgs/{orgId}/reports/by-model
  /api/orgs/{orgId}/reports/by-member /api/orgs/{orgId}/reports/by-tag
  /api/orgs/{orgId}/institution-keys /api/orgs/{orgId}/institution-keys/{institutionKeyId}/sessions
  /api/orgs/{orgId}/sign-on/domains /api/orgs/{orgId}/sign-on/connections /api/orgs/{orgId}/sign-on/groups
  /api/orgs/{orgId}/provisioning`.split(/\s+/)

const minuteMs = 60_000
const readOnly = { code: 'view_read_only' }
const ended = { code: 'view_ended' }

let clock: TestClock
let gateway: TestGateway
let organization: TestOrganization
/** Administers the organization. */
let ada: TestMember
let things: Things
beforeAll(async () => {
  clock = createTestClock(new Date(Date.now()).toISOString())
  gateway = await startTestGateway({}, { nowMs: clock.nowMs })
  organization = await gateway.createOrganization()
  ada = await gateway.addMember(organization.id, { role: 'org_admin' })
  const { teamId } = await gateway.addTeam(organization.id)
  const { keyId } = await gateway.addKey(ada.userId)
  const made = await makeThings(gateway, { organizationId: organization.id, teamId, mark: 'home' })
  const customerId = await makeEndCustomer(gateway, ada.walletId)
  const runId = await makeRun(gateway, ada.walletId, null)
  const own = { id: keyId, customerId, runId, walletId: ada.walletId, userRef: ada.userId }
  things = { ...made, ...own, author: 'openai', slug: 'gpt-5.2' }
})
afterAll(() => gateway.close())

interface Operator {
  readonly userId: string
  readonly cookie: string
  /** Without a view. */
  readonly client: Client
}

async function operatorOf(role: 'owner' | 'support' | 'finance' | 'read_only', secondFactor = true): Promise<Operator> {
  const { userId } = await gateway.createClient({ usd: '0' })
  await gateway.addOperator(userId, role)
  const cookie = await gateway.signIn(userId, { secondFactor })
  return { userId, cookie, client: createClient(gateway.url, { cookie }) }
}

const begin = (client: Client, userRef = ada.userId, body: object = { reason: 'Ticket 7' }): Promise<Reply> =>
  client.post(`/api/admin/users/${userRef}/view`, body)

async function viewIdOf(operator: Operator, userRef?: string): Promise<string> {
  const { status, data } = await begin(operator.client, userRef)
  expect(status).toBe(201)
  return String((data as JsonObject)['id'])
}

const end = (client: Client, viewId: string): Promise<Reply> => client.delete(`/api/operator/view?id=${viewId}`)

/** Sends one request as a tab of the console that shows a view. */
const ask = (client: Client, viewId: string, path = '/v1/keys', method = 'GET', body?: object): Promise<Reply> =>
  client.send(method, path, body, { headers: { 'x-weir-view': viewId } })

const expectRefusal = (reply: Reply, error: object): void =>
  expect([reply.status, reply.json['error']]).toMatchObject([403, error])

describe('beginning a view', () => {
  it.each([
    ['owner', 201],
    ['support', 201],
    ['finance', 403],
    ['read_only', 403],
  ] as const)('as an operator with the role %s: %i', async (role, status) => {
    expect((await begin((await operatorOf(role)).client)).status).toBe(status)
  })

  it('is nothing for a key, a customer, or an operator who has not proven a second factor of late', async () => {
    const { key } = await gateway.addOperatorKey({ role: 'owner' })
    expect((await begin(gateway.as(key))).status).toBe(403)
    expect((await begin(gateway.as())).status).toBe(401)
    const customer = createClient(gateway.url, { cookie: await gateway.signIn(ada.userId, { secondFactor: true }) })
    expect((await begin(customer)).status).toBe(403)
    expectRefusal(await begin((await operatorOf('owner', false)).client), { code: 'second_factor_required' })
    const stale = await operatorOf('owner')
    await gateway.pool.query(`UPDATE auth_sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      stale.userId,
    ])
    expectRefusal(await begin(stale.client), { code: 'step_up_required' })
  })

  it('needs a customer and a reason', async () => {
    const { client, userId } = await operatorOf('support')
    const other = await operatorOf('read_only')
    expect((await begin(client, other.userId)).status).toBe(409)
    expect((await begin(client, userId)).status).toBe(409)
    expect((await begin(client, 'nobody@example.com')).status).toBe(404)
    expect((await begin(client, organization.id)).status).toBe(404)
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 'a\0b' }, { reason: 7 }]) {
      expect((await begin(client, ada.userId, body)).status, JSON.stringify(body)).toBe(400)
    }
    const { rows } = await gateway.pool.query(
      'SELECT 1 FROM customer_views v JOIN auth_sessions s ON s.id = v.session_id WHERE s.user_id = $1',
      [userId],
    )
    expect(rows).toEqual([])
  })

  it('answers whom it shows and until when', async () => {
    const { client } = await operatorOf('support')
    const { data } = await begin(client, ada.email)
    expect(data).toEqual({
      id: expect.any(String),
      ends_at: new Date(clock.nowMs() + 30 * minuteMs).toISOString(),
      user: { id: ada.userId, email: ada.email, name: expect.any(String) },
    })
  })
})

describe('a view', () => {
  let operator: Operator
  let viewId: string
  beforeEach(async () => {
    clock.set(new Date(Date.now()).toISOString())
    operator = await operatorOf('support')
    viewId = await viewIdOf(operator)
  })

  it('shows exactly what is listed, and no request of it changes a row', async () => {
    const before = await readRows()
    const answers = await Promise.all(
      routes().map(async ({ method, path, isShown }) => {
        const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : {}
        const { status, text } = await ask(operator.client, viewId, path, method, body)
        // Some have errors of their own form, with the code or the message alone.
        const says = /"view_read_only"|You view the console as a customer\./.test(text)
        const isRefused = status === 403 && (method === 'HEAD' || says)
        return { request: `${method} ${path}`, status, isShown, isRefused }
      }),
    )
    expect(answers.filter(({ isShown }) => isShown).length).toBeGreaterThanOrEqual(shown.length)
    expect(answers.filter(({ isShown }) => !isShown).length).toBeGreaterThan(150)
    expect(answers.filter(({ isShown, isRefused }) => isShown === isRefused)).toEqual([])
    const odd = answers.filter(({ isShown, status }) => isShown && (status === 401 || status === 403 || status >= 500))
    expect(odd).toEqual([])
    expect(await readRows()).toEqual(before)
  })

  it('shows what the customer sees', async () => {
    const customer = createClient(gateway.url, { cookie: await gateway.signIn(ada.userId) })
    const same = routes().filter(({ isShown, path }) => isShown && !path.startsWith('/api/operator'))
    await Promise.all(
      same.map(async ({ path }) => {
        const [theirs, seen] = [await customer.get(path), await ask(operator.client, viewId, path)]
        expect([seen.status, withoutTimes(seen.text)], path).toEqual([theirs.status, withoutTimes(theirs.text)])
      }),
    )
    const self = await ask(operator.client, viewId, '/api/operator')
    expect(self.json).toMatchObject({ role: null, secondFactor: false })
  })

  it("is one tab's: without its id the session is the operator's", async () => {
    expect((await operator.client.get('/v1/keys')).text).not.toContain(things['id'])
    expect((await ask(operator.client, viewId)).text).toContain(things['id'])
    expect((await operator.client.get('/api/operator')).json).toMatchObject({ role: 'support' })
    expect((await operator.client.get('/api/admin/brake')).status).toBe(200)
  })

  it("leaves the sign-in library alone, so that nothing of the operator's account shows or changes", async () => {
    for (const path of ['/get-session', '/list-sessions', '/passkey/list-user-passkeys']) {
      expectRefusal(await ask(operator.client, viewId, `/api/auth${path}`), readOnly)
    }
    for (const path of ['/sign-out', '/update-user', '/change-password', '/revoke-sessions', '/two-factor/disable']) {
      expectRefusal(await ask(operator.client, viewId, `/api/auth${path}`, 'POST', { name: 'Ada' }), readOnly)
    }
    expect((await operator.client.get('/v1/keys')).status).toBe(200)
  })

  it('calls no model, with a key of the customer either', async () => {
    const { key } = await gateway.addKey(ada.userId)
    const body = { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }] }
    expectRefusal(await ask(gateway.as(key), viewId, '/v1/chat/completions', 'POST', body), readOnly)
    expectRefusal(await ask(gateway.as(key), viewId), ended)
  })

  it.each<[string, () => Promise<Client>]>([
    ["another operator's session", async () => (await operatorOf('owner')).client],
    ['another session of the operator', async () => sessionOf(operator.userId)],
    ["the customer's session", async () => sessionOf(ada.userId)],
  ])('shows nothing with %s', async (_what, clientOf) => {
    expectRefusal(await ask(await clientOf(), viewId), ended)
  })

  it('shows nothing without a session, or with an id that never was', async () => {
    expect((await ask(gateway.as(), viewId)).status).toBe(401)
    for (const id of [newId, 'x', '']) expectRefusal(await ask(operator.client, id), ended)
  })

  it('ends after 30 minutes', async () => {
    clock.forward(30 * minuteMs - 1)
    expect((await ask(operator.client, viewId)).status).toBe(200)
    clock.forward(1)
    expectRefusal(await ask(operator.client, viewId), ended)
  })

  it('is ended by the operator also after the ten minutes in which changes are allowed, and only once', async () => {
    await gateway.pool.query(`UPDATE auth_sessions SET created_at = now() - interval '29 minutes' WHERE user_id = $1`, [
      operator.userId,
    ])
    expectRefusal(await ask(operator.client, viewId, `/api/operator/view?id=${viewId}`, 'DELETE'), readOnly)
    expect((await end((await operatorOf('owner')).client, viewId)).status).toBe(204)
    expect((await end(operator.client, 'x')).status).toBe(400)
    expect((await operator.client.delete('/api/operator/view')).status).toBe(400)
    expect((await ask(operator.client, viewId)).status).toBe(200)
    expect((await end(operator.client, viewId)).status).toBe(204)
    expectRefusal(await ask(operator.client, viewId), ended)
    expect((await end(operator.client, viewId)).status).toBe(204)
    const actions = (await logged(viewId)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'customer.view.begin')).toHaveLength(3)
    expect(actions.filter((action) => action === 'customer.view.end')).toHaveLength(3)
  })

  it('ends with the next view of the session', async () => {
    const { userId } = await gateway.createClient({ usd: '0' })
    const next = await viewIdOf(operator, userId)
    expectRefusal(await ask(operator.client, viewId), ended)
    // What a tab does whose view has ended.
    expect((await end(operator.client, viewId)).status).toBe(204)
    expect((await ask(operator.client, next)).status).toBe(200)
    expect((await logged(viewId)).at(-1)).toMatchObject({ action: 'customer.view.end', target_id: ada.userId })
    expect(await logged(next)).toMatchObject([{ action: 'customer.view.begin', target_id: userId }])
  })

  it.each<[string, string, object]>([
    ['role', `DELETE FROM operators WHERE user_id = $1`, ended],
    ['role, for one that has no views', `UPDATE operators SET role = 'finance' WHERE user_id = $1`, ended],
    ['second factor', 'UPDATE auth_sessions SET second_factor = false WHERE user_id = $1', ended],
    ['access', 'UPDATE users SET suspended_at = now() WHERE id = $1', { code: 403 }],
  ])("ends with the operator's %s", async (_what, statement, error) => {
    await gateway.pool.query(statement, [operator.userId])
    expectRefusal(await ask(operator.client, viewId), error)
  })

  it("ends with the operator's session", async () => {
    await operator.client.post('/api/auth/sign-out', {})
    expect((await ask(operator.client, viewId)).status).toBe(401)
    const { rows } = await gateway.pool.query('SELECT 1 FROM customer_views WHERE id = $1', [viewId])
    expect(rows).toEqual([])
  })

  it('ends when the customer becomes an operator', async () => {
    const { userId } = await gateway.createClient({ usd: '0' })
    const theirs = await viewIdOf(operator, userId)
    await gateway.addOperator(userId, 'read_only')
    expectRefusal(await ask(operator.client, theirs), ended)
  })

  it('ends when the customer joins an organization, whose log would not know of it', async () => {
    const { userId } = await gateway.createClient({ usd: '0' })
    const theirs = await viewIdOf(operator, userId)
    expect((await ask(operator.client, theirs)).status).toBe(200)
    await gateway.addMember(organization.id, { userId })
    expectRefusal(await ask(operator.client, theirs), ended)
    expect((await ask(operator.client, await viewIdOf(operator, userId))).status).toBe(200)
  })

  it('shows a suspended customer too, who may ask why', async () => {
    const { userId } = await gateway.createClient({ usd: '0' })
    await gateway.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [userId])
    expect((await ask(operator.client, await viewIdOf(operator, userId))).status).toBe(200)
  })

  it("is in the platform's log with operator and reason, and in the organization's without", async () => {
    await end(operator.client, viewId)
    const about = { actor_kind: 'operator', actor_name: null, target_id: ada.userId }
    const byOperator = { ...about, actor_id: operator.userId, chain_id: platform }
    const nameless = { ...about, actor_id: null, chain_id: organization.id }
    const endsAt = new Date(clock.nowMs() + 30 * minuteMs).toISOString()
    const endedAt = new Date(clock.nowMs()).toISOString()
    const organizationId = organization.id
    const begun = { action: 'customer.view.begin' }
    const over = { action: 'customer.view.end' }
    expect(await logged(viewId)).toEqual([
      { ...byOperator, ...begun, details: { viewId, endsAt, reason: 'Ticket 7' } },
      { ...byOperator, ...begun, details: { viewId, endsAt, organizationId } },
      { ...nameless, ...begun, details: { viewId, endsAt } },
      { ...byOperator, ...over, details: { viewId, endedAt } },
      { ...byOperator, ...over, details: { viewId, endedAt, organizationId } },
      { ...nameless, ...over, details: { viewId, endedAt } },
    ])
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      operator.userId,
    ])
    const read = await (await sessionOf(ada.userId)).get(`/api/orgs/${organization.id}/audit-log`)
    expect(read.text).toContain('customer.view.begin')
    for (const secret of [operator.userId, rows[0]?.email ?? '', 'Ticket 7']) expect(read.text).not.toContain(secret)
  })
})

const newId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function sessionOf(userId: string): Promise<Client> {
  return createClient(gateway.url, { cookie: await gateway.signIn(userId, { secondFactor: true }) })
}

/** Every route with its path as the table above has it, and as a request has it. */
function routes() {
  return listRoutes(gateway.gateway.server).map(({ method, path }) => {
    const template = path.replaceAll(/:(\w+)(?:\|:\w+)*/g, '{$1}')
    const asked = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? newId)
    const isShown =
      method === 'GET' && shown.some((one) => shapeOf(one) === shapeOf(template.replace(/^\/api\/v1/, '/v1')))
    return { method, path: `${asked}?year=2026&month=1&amount=10`, isShown }
  })
}

/** A path whose parameters have no names. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

const platform = '00000000-0000-0000-0000-000000000000'

/** Entries of one view: first the beginning, first the platform's log. */
async function logged(viewId: string): Promise<JsonObject[]> {
  const { rows } = await gateway.pool.query<JsonObject>(
    `SELECT chain_id, actor_kind, actor_id, actor_name, action, target_id, details FROM audit_entries
     WHERE details->>'viewId' = $1 ORDER BY action, chain_id, details->>'organizationId' NULLS FIRST`,
    [viewId],
  )
  return rows
}

/** A hash of the rows of each table. */
async function readRows(): Promise<Record<string, string>> {
  const { rows: tables } = await gateway.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const hashes = tables.map(async ({ name }) => {
    const text = `SELECT coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS hash FROM ${name} t`
    const { rows } = await gateway.pool.query<{ hash: string }>(text)
    return [name, rows[0]?.hash ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(hashes))
}

/** Some answers say when they were made. */
const withoutTimes = (text: string): string => text.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a moment"')
