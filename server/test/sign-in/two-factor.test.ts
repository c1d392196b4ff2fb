import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { authClient, cookiesIn } from './auth-client.ts'
import { oneTimeCode } from './one-time-code.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

describe('a second factor', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  it('is enrolled with a code, and then asked for after the password', async () => {
    const auth = authClient(gateway)
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const first = await auth.post('/sign-in/email', { email, password })
    const cookie = first.cookie ?? ''
    const enabled = await auth.post('/two-factor/enable', { password }, { cookie })
    expect(enabled.status).toBe(200)
    const address = String(enabled.body['totpURI'])
    const { rows } = await gateway.pool.query<{ secret: string }>('SELECT secret FROM auth_two_factors')
    expect(address).not.toContain(rows[0]?.secret)
    const code = () => oneTimeCode(address, Date.now())
    const enrolled = await auth.post('/two-factor/verify-totp', { code: code() }, { cookie })
    expect(enrolled.status).toBe(200)

    const byPassword = await auth.post('/sign-in/email', { email, password })
    expect(byPassword).toMatchObject({ status: 200, cookie: null, body: { twoFactorRedirect: true } })
    const challenge = cookiesIn(byPassword.headers)
    const wrong = await auth.post('/two-factor/verify-totp', { code: '000000' }, { cookie: challenge })
    expect(wrong).toMatchObject({ status: 401, cookie: null })
    const passed = await auth.post('/two-factor/verify-totp', { code: code() }, { cookie: challenge })
    expect(passed.status).toBe(200)
    const session = await auth.get('/get-session', { cookie: passed.cookie ?? '' })
    expect(session.body).toMatchObject({ user: { email, twoFactorEnabled: true } })
    for (const attributes of [byPassword, passed].flatMap(({ headers }) => headers.getSetCookie())) {
      expect(attributes).toMatch(/; HttpOnly; Secure; SameSite=Lax/i)
    }
  })

  it('does not exist where the operator has switched it off', async () => {
    const plain = await startTestGateway({ WEIR_AUTH_SECOND_FACTOR: 'false' })
    try {
      expect(await authClient(plain).post('/two-factor/enable', { password })).toMatchObject({ status: 404 })
    } finally {
      await plain.close()
    }
  })
})
