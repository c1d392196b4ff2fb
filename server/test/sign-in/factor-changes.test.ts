import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPassword } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { authClient, cookiesIn } from './auth-client.ts'
import { oneTimeCode } from './one-time-code.ts'
import { createSoftwareAuthenticator } from './software-authenticator.ts'

const password = 'correct horse battery'
const rpId = new URL(ownOrigin).hostname

describe('second factors', () => {
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  let people = 0
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_AUTH_PASSKEYS: 'true' })
    auth = authClient(gateway)
  })
  afterAll(() => gateway.close())

  async function signUp({ operates }: { operates: boolean }) {
    const email = `person${(people += 1)}@example.com`
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    const userId = rows[0]?.id ?? ''
    if (operates) await gateway.addOperator(userId, 'owner')
    return { email, userId }
  }

  async function addPasskey(cookie: string) {
    const device = createSoftwareAuthenticator()
    const asked = await auth.get('/passkey/generate-register-options', { cookie })
    const response = device.register({ challenge: String(asked.body['challenge']), rpId, origin: ownOrigin })
    const cookies = { cookie: `${cookie}; ${cookiesIn(asked.headers)}` }
    return { device, asked, registered: await auth.post('/passkey/verify-registration', { response }, cookies) }
  }

  async function addApp(cookie: string) {
    const enabled = await auth.post('/two-factor/enable', { password }, { cookie })
    const code = oneTimeCode(String(enabled.body['totpURI']), Date.now())
    return auth.post('/two-factor/verify-totp', { code }, { cookie })
  }

  const passwordSession = async (email: string) => (await auth.post('/sign-in/email', { email, password })).cookie ?? ''

  /** What a session is answered to every change of factors. */
  async function changes(cookie: string, userId: string): Promise<unknown[]> {
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM auth_passkeys WHERE user_id = $1', [
      userId,
    ])
    const replies = [
      await auth.get('/passkey/generate-register-options', { cookie }),
      await auth.post('/passkey/verify-registration', { response: {} }, { cookie }),
      await auth.post('/passkey/delete-passkey', { id: rows[0]?.id ?? 'none' }, { cookie }),
      await auth.post('/two-factor/get-totp-uri', { password }, { cookie }),
      await auth.post('/two-factor/generate-backup-codes', { password }, { cookie }),
      await auth.post('/two-factor/enable', { password }, { cookie }),
      await auth.post('/two-factor/disable', { password }, { cookie }),
    ]
    return replies.map(({ status, body }) => [status, body['code']])
  }
  const refused = Array.from({ length: 7 }, () => [403, 'SECOND_FACTOR_REQUIRED'])

  it('of an operator change only in a session that began with one', async () => {
    const { email, userId } = await signUp({ operates: true })
    const enrolled = await addApp(await passwordSession(email))
    // As a session begins that a social account or an identity provider has proven.
    const without = await gateway.signIn(userId)
    expect(await changes(without, userId)).toEqual(refused)
    expect((await addPasskey(enrolled.cookie ?? '')).registered.status).toBe(200)
  })

  it('of an operator with a passkey alone are not behind the password', async () => {
    const { email, userId } = await signUp({ operates: true })
    const first = await addPasskey(await passwordSession(email))
    expect(first.registered.status).toBe(200)
    expect(await changes(await passwordSession(email), userId)).toEqual(refused)

    const challenged = await auth.get('/passkey/generate-authenticate-options')
    const challenge = String(challenged.body['challenge'])
    const response = first.device.authenticate({ challenge, rpId, origin: ownOrigin })
    const cookies = { cookie: cookiesIn(challenged.headers) }
    const { cookie } = await auth.post('/passkey/verify-authentication', { response }, cookies)
    expect((await createClient(gateway.url, { cookie: cookie ?? '' }).get('/api/admin/brake')).status).toBe(200)
    expect((await addPasskey(cookie ?? '')).registered.status).toBe(200)
  })

  it("of a person do not change in a session that an organization's identity provider began", async () => {
    const { email, userId } = await signUp({ operates: false })
    const { id } = await gateway.createOrganization()
    const signedOn = await gateway.signIn(userId)
    await gateway.pool.query('UPDATE auth_sessions SET sign_on_organization_id = $1 WHERE user_id = $2', [id, userId])
    const own = await passwordSession(email)
    expect((await addPasskey(signedOn)).registered.status).toBe(200)
    expect(await changes(signedOn, userId)).toEqual(refused)
    expect((await addPasskey(own)).registered.status).toBe(200)
    expect((await addApp(own)).status).toBe(200)
  })

  it('are all dropped by the command for a lost device', async () => {
    const { email, userId } = await signUp({ operates: true })
    await addPasskey(await passwordSession(email))
    const deps = {
      users: createPostgresOperators(gateway.pool).users,
      accounts: createPersonAccounts(gateway.pool, Date.now),
    }
    const change = { reference: userId, dropSecondFactor: true }
    const { password: next } = await setPassword(deps, change, operatorAuthor(0).actor)
    const { cookie } = await auth.post('/sign-in/email', { email, password: next })
    const left = await gateway.pool.query('SELECT FROM auth_passkeys WHERE user_id = $1', [userId])
    expect(left.rowCount).toBe(0)
    expect((await addPasskey(cookie ?? '')).registered.status).toBe(200)
  })
})
