import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFirst } from '#bin/first-run.ts'
import { setUpDepsOf } from '#bin/wiring/set-up.ts'
import { parseConfig } from '#config/parse-config.ts'
import { firstRunToken } from '#control/first-run/first-run-token.ts'
import { createClient } from '#test/setup/client.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { authClient } from '#test/sign-in/auth-client.ts'

const email = 'first@example.com'
const password = 'correct horse battery'

describe('the first run, in the console', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  const state = async () => (await createClient(gateway.url).get('/api/console/state')).json
  const make = (body: object) =>
    createClient(gateway.url).post('/api/console/first-run', {
      token: firstRunToken(testSecret),
      email,
      password,
      ...body,
    })

  it('is announced, with the ways to sign in', async () => {
    expect(await state()).toEqual({
      first_run: true,
      creates_organizations: false,
      documentation: false,
      sign_in: { password: true, second_factor: true, passkeys: false, providers: [], confirms_address: false },
      test_models: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })

  it('needs the token, a password that is long enough and a known provider, and leaves nothing behind without', async () => {
    expect((await make({ token: 'guessed' })).status).toBe(403)
    expect((await make({ token: undefined })).json['error']).toMatchObject({ code: 'missing_required_field' })
    expect((await make({ password: 'short' })).status).toBe(400)
    expect((await make({ provider: { vendor: 'nobody', key: 'k' } })).status).toBe(400)
    expect(await state()).toMatchObject({ first_run: true })
  })

  it('makes a person, an organization with credit and a provider, once', async () => {
    const body = { name: 'First', organization: 'Acme', credit_usd: 12.5, provider: { vendor: 'openai', key: 'sk-x' } }
    const replies = await Promise.all([make(body), make({ ...body, email: 'second@example.com' })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await state()).toMatchObject({ first_run: false })
    const { rows } = await gateway.pool.query('SELECT email FROM users')
    expect(rows).toHaveLength(1)
    const { cookie } = await authClient(gateway).post('/sign-in/email', { email: rows[0].email, password })
    const orgs = await createClient(gateway.url, { cookie: cookie ?? '' }).get('/v1/orgs')
    expect(orgs.json['data']).toMatchObject([{ name: 'Acme', role: 'org_admin', creditBalance: 12.5 }])
    expect((await gateway.pool.query('SELECT vendor FROM provider_accounts')).rows).toEqual([{ vendor: 'openai' }])
  })
})

describe('the first run, by settings', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const run = (init: Record<string, string>) => {
    const config = parseConfig({ env: { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: database.url, ...init } })
    return runFirst(setUpDepsOf({ config, pool: database.pool, announce: async () => {}, nowMs: Date.now }), config)
  }

  it('prints a token where the settings name nobody', async () => {
    expect(await run({})).toEqual({ kind: 'waiting', token: firstRunToken(testSecret) })
  })

  it('is made once, however often it is asked for', async () => {
    const init = { WEIR_INIT_USER_EMAIL: email, WEIR_INIT_USER_PASSWORD: password, WEIR_INIT_CREDIT_USD: '5' }
    expect(await run(init)).toEqual({ kind: 'made', email })
    expect(await run(init)).toEqual({ kind: 'over' })
    expect(await run({})).toEqual({ kind: 'over' })
    const { rows } = await database.pool.query('SELECT balance_nano FROM wallets')
    expect(rows).toEqual([{ balance_nano: '5000000000' }])
  })

  it('wants a password with the address', async () => {
    const other = await createTestDatabase()
    try {
      const config = parseConfig({
        env: { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: other.url, WEIR_INIT_USER_EMAIL: email },
      })
      const deps = setUpDepsOf({ config, pool: other.pool, announce: async () => {}, nowMs: Date.now })
      await expect(runFirst(deps, config)).rejects.toThrow('requires init.userPassword')
    } finally {
      await other.drop()
    }
  })
})
