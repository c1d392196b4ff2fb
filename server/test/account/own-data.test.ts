import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { authClient } from '#test/sign-in/auth-client.ts'

const email = 'Grace.Hopper@example.com'
const name = 'Grace Brewster Hopper'
const password = 'correct horse battery'

describe('the data of a person', () => {
  let gateway: TestGateway
  let userId: string
  let key: string
  let organizationId: string
  let cookie: string
  beforeAll(async () => {
    gateway = await startTestGateway()
    const auth = authClient(gateway)
    await auth.post('/sign-up/email', { email, password, name })
    cookie = await signIn()
    const { rows } = await gateway.pool.query<{ id: string; wallet: string }>(
      'SELECT u.id, w.id AS wallet FROM users u JOIN wallets w ON w.owner_id = u.id',
    )
    userId = rows[0]?.id ?? ''
    await gateway.credit(rows[0]?.wallet ?? '', '5')
    await auth.post('/request-password-reset', { email })
    const made = await createClient(gateway.url, { cookie }).post('/v1/keys', { name: 'graces laptop' })
    key = String(made.json['key'])
    await callChat({ url: gateway.url, key }, { model: 'test/priced', user: 'reader-7' })
    await callChat({ url: gateway.url, key }, { model: 'acme/none' })
    // More customers than one page of the export has.
    await gateway.pool.query(
      `INSERT INTO end_customers (id, wallet_id, external_id, name, day_limit_nano, created_at)
       SELECT gen_random_uuid(), $1, 'acme-' || n, 'Acme', 1500000000, '2026-11-01' FROM generate_series(1, 501) AS n`,
      [rows[0]?.wallet],
    )
    await gateway.as({ cookie }).send('POST', '/v1/runs', { id: 'job-1', budget: '0.5' })
    const organization = await gateway.createOrganization()
    organizationId = organization.id
    await gateway.addMember(organizationId, { role: 'org_admin', userId })
  })
  afterAll(() => gateway.close())

  const signIn = async () => (await authClient(gateway).post('/sign-in/email', { email, password })).cookie ?? ''
  const session = () => createClient(gateway.url, { cookie })

  it('[NEXT-120] can be downloaded, one record to a line', async () => {
    await expect
      .poll(async () => (await gateway.pool.query('SELECT 1 FROM refusals')).rowCount, { timeout: 60_000 })
      .toBe(1)
    const reply = await session().get('/api/account/export')
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const records = reply.text
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    const ofKind = (kind: string) => records.filter((record) => record['kind'] === kind)
    expect(ofKind('profile')).toMatchObject([
      { id: userId, email: email.toLowerCase(), name, organizations: [{ role: 'org_admin' }] },
    ])
    expect(ofKind('key')).toMatchObject([{ name: 'graces laptop' }])
    expect(ofKind('generation')).toMatchObject([{ model: 'test/priced', user: 'reader-7' }])
    expect(ofKind('refusal')).toMatchObject([{ model: 'acme/none', refusal: { error: 'unknownModel' } }])
    expect(ofKind('customer')).toHaveLength(501)
    expect(ofKind('customer')[0]).toEqual({
      kind: 'customer',
      id: 'acme-1',
      name: 'Acme',
      daily_limit: 1.5,
      monthly_limit: null,
      total_limit: null,
      suspended: false,
      markup_basis_points: null,
      prepaid: false,
      balance: null,
      balance_held: null,
      created_at: '2026-11-01T00:00:00.000Z',
    })
    expect(ofKind('run')).toEqual([
      {
        kind: 'run',
        id: 'job-1',
        parent: null,
        budget: 0.5,
        calls_per_minute: null,
        repeats: null,
        stopped_at: null,
        stop_reason: null,
        created_at: expect.any(String),
      },
    ])
    const cost = Number(ofKind('generation')[0]?.['total_cost'])
    expect(cost).toBeGreaterThan(0)
    expect(ofKind('transfer')).toMatchObject([
      { transfer: 'grant', amount_usd: '5' },
      { transfer: 'charge', amount_usd: expect.stringMatching(/^0\.0000/), id: ofKind('generation')[0]?.['id'] },
    ])
    expect(ofKind('audit').map((entry) => entry['action'])).toEqual(['key.create'])
    expect(reply.text).not.toContain(key)
    expect((await createClient(gateway.url, key).get('/api/account/export')).status).toBe(403)
  })

  it('is not deleted while the person alone administers an organization', async () => {
    const refused = await session().post('/api/account/delete', { email })
    expect(refused.status).toBe(409)
    expect(refused.json['error']).toMatchObject({ message: expect.stringContaining('You are the only org_admin of') })
    expect((await session().get('/v1/orgs')).status).toBe(200)
    await gateway.addMember(organizationId, { role: 'org_admin' })
  })

  it('is not deleted without the address of the account', async () => {
    expect((await session().post('/api/account/delete', {})).json['error']).toMatchObject({
      code: 'missing_required_field',
    })
    expect((await session().post('/api/account/delete', { email: 'other@example.com' })).status).toBe(400)
  })

  it('is not deleted by an old session', async () => {
    await gateway.pool.query(`UPDATE auth_sessions SET created_at = created_at - interval '11 minutes'`)
    expect((await session().post('/api/account/delete', { email })).json['error']).toMatchObject({
      code: 'step_up_required',
    })
    cookie = await signIn()
  })

  it('is nowhere in the database once it is deleted, while the books still agree', async () => {
    await queueMails(gateway.pool, userId)
    expect(await placesOf(gateway.pool, [email, name])).toContain(`mail_outbox: ${email}`)
    expect((await session().post('/api/account/delete', { email })).status).toBe(204)
    expect(await placesOf(gateway.pool, [email, name])).toEqual([])
    const signInTables = ['auth_sessions', 'auth_accounts', 'auth_verifications']
    for (const table of signInTables) {
      expect((await gateway.pool.query(`SELECT 1 FROM ${table}`)).rowCount, table).toBe(0)
    }
    expect(await auditLedger(gateway.pool, { overdueMs: 60_000 })).toEqual([])
    const { rows } = await gateway.pool.query(
      `SELECT action, actor_id, actor_name FROM audit_entries WHERE action = 'user.delete'`,
    )
    expect(rows).toEqual([{ action: 'user.delete', actor_id: userId, actor_name: null }])
  })

  it('opens nothing afterwards: neither the session nor the key nor the password', async () => {
    expect((await session().get('/v1/orgs')).status).toBe(401)
    expect((await callChat({ url: gateway.url, key }, { model: 'test/echo' })).status).toBe(401)
    expect(await signIn()).toBe('')
  })

  it('leaves the address free for a new account', async () => {
    await authClient(gateway).post('/sign-up/email', { email, password, name })
    expect(await signIn()).not.toBe('')
  })
})

/** Emails that wait for a mail server: one to the person, one to the person's address. */
async function queueMails(pool: Pool, userId: string): Promise<void> {
  await pool.query(
    `INSERT INTO mail_outbox (id, class, name, user_id, address, subject, body, expires_at, due_at)
     VALUES (gen_random_uuid(), 'notice', 'a', $1, NULL, '', $3, 'infinity', now()),
       (gen_random_uuid(), 'sign_in', 'b', NULL, upper($2), '', '', 'infinity', now())`,
    [userId, email, name],
  )
}

/** Returns every column of every table that contains one of the strings, ignoring case. */
async function placesOf(pool: Pool, texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ table: string }>(
    `SELECT quote_ident(tablename) AS table FROM pg_tables WHERE schemaname = 'public'`,
  )
  const places: string[] = []
  for (const { table } of rows) {
    for (const text of texts) {
      const { rowCount } = await pool.query(`SELECT 1 FROM ${table} AS t WHERE strpos(lower(t::text), lower($1)) > 0`, [
        text,
      ])
      if (rowCount !== 0) places.push(`${table}: ${text}`)
    }
  }
  return places
}
