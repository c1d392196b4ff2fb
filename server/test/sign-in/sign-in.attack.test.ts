import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { linkIn, type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'
import { authClient } from './auth-client.ts'

const password = 'correct horse battery'
let people = 0
const newAddress = (): string => `eve${(people += 1)}.${process.pid}@example.com`

describe('whoever attacks signing in', () => {
  let mail: MailServer
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    mail = await startMailServer()
    gateway = await startTestGateway({ WEIR_MAIL_URL: mail.url, WEIR_MAIL_FROM: 'Weir <weir@example.com>' })
    auth = authClient(gateway)
  })
  afterAll(async () => {
    await gateway.close()
    await mail.close()
  })

  const signUp = async (): Promise<string> => {
    const email = newAddress()
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const link = linkIn(await mail.nextTo(email))
    await auth.get(`/verify-email${link.search}`)
    return email
  }
  const post = (body: string): Promise<Reply> =>
    gateway.as().post('/api/auth/sign-in/email', body, { headers: { origin: ownOrigin } })
  const resetToken = async (email: string): Promise<string> => {
    await auth.post('/request-password-reset', { email })
    return linkIn(await mail.nextTo(email)).searchParams.get('token') ?? ''
  }

  it('does not sign anybody in from a foreign page', async () => {
    const email = await signUp()
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    ]
    for (const headers of foreign) {
      expect(await auth.post('/sign-in/email', { email, password }, { headers })).toMatchObject({
        status: 403,
        cookie: null,
      })
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      expect((await auth.post('/sign-in/email', { email, password }, { headers })).status, type).toBe(415)
    }
  })

  it('does not choose where links in mails and answers lead', async () => {
    const email = await signUp()
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    }
    await auth.post('/request-password-reset', { email }, { headers })
    expect(linkIn(await mail.nextTo(email)).origin).toBe(ownOrigin)
    for (const redirectTo of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
      const reply = await auth.post('/request-password-reset', { email, redirectTo })
      expect(reply.status, redirectTo).toBe(403)
    }
    const token = await resetToken(email)
    const reply = await auth.get(`/reset-password/${token}?callbackURL=${encodeURIComponent('https://evil.example/')}`)
    expect(reply.status).toBe(403)
    const verify = await auth.get(`/verify-email?token=x&callbackURL=${encodeURIComponent('https://evil.example/')}`)
    expect(verify.status).toBe(403)
  })

  it('uses a link for a new password once, and not after the sessions have ended with it', async () => {
    const email = await signUp()
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    const token = await resetToken(email)
    const tries = ['first new password', 'second new password', 'third new password'].map((newPassword) =>
      auth.post('/reset-password', { token, newPassword }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400, 400])
    expect((await auth.get('/get-session', { cookie: cookie ?? '' })).body).toEqual({})
    expect((await auth.post('/sign-in/email', { email, password })).status).toBe(401)
    const old = await resetToken(email)
    await gateway.pool.query(`UPDATE auth_verifications SET expires_at = now() - interval '1 second'`)
    expect((await auth.post('/reset-password', { token: old, newPassword: password })).status).toBe(400)
  })

  it('proves no address with a token that is made up', async () => {
    const email = newAddress()
    await auth.post('/sign-up/email', { email, password, name: 'Eve' })
    const payload = encode({ email, exp: Math.floor(Date.now() / 1_000) + 3_600 })
    const signed = (algorithm: string, secret: string): string => {
      const text = `${encode({ alg: algorithm })}.${payload}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const unsigned = `${encode({ alg: 'none' })}.${payload}.`
    const { search } = linkIn(await mail.nextTo(email))
    const real = new URLSearchParams(search).get('token') ?? ''
    const [head = '', , signature = ''] = real.split('.')
    const other = encode({ email: newAddress(), exp: Math.floor(Date.now() / 1_000) + 3_600 })
    for (const token of [unsigned, signed('HS256', ''), signed('HS256', 'weir'), `${head}.${other}.${signature}`]) {
      expect((await auth.get(`/verify-email?token=${token}`)).status).toBe(401)
    }
    expect(await createPostgresOperators(gateway.pool).users.findVerified(email)).toBeNull()
    expect((await auth.get(`/verify-email?token=${real}`)).status).toBe(200)
  })

  it('sets nothing about an account but a name, an address and a password', async () => {
    const email = newAddress()
    const id = '01890000-0000-7000-8000-0000000000ff'
    const extra = {
      id,
      emailVerified: true,
      email_verified: true,
      twoFactorEnabled: true,
      role: 'admin',
      suspended: false,
    }
    const up = await auth.post('/sign-up/email', { email, password, name: 'Eve', ...extra })
    expect([200, 400]).toContain(up.status)
    const { rows } = await gateway.pool.query('SELECT id, email_verified FROM auth_users WHERE email = $1', [email])
    for (const row of rows) expect(row).toEqual({ id: expect.not.stringMatching(id), email_verified: false })
    const known = await signUp()
    const { cookie } = await auth.post('/sign-in/email', { email: known, password })
    const asked = { name: 'Eve', email: 'other@example.com', emailVerified: false, id }
    await auth.post('/update-user', asked, { cookie: cookie ?? '' })
    const session = await auth.get('/get-session', { cookie: cookie ?? '' })
    expect(session.body).toMatchObject({ user: { email: known, emailVerified: true } })
    const changed = await auth.post('/change-email', { newEmail: 'other@example.com' }, { cookie: cookie ?? '' })
    expect(changed.status).toBeGreaterThanOrEqual(400)
    const gone = await auth.post('/delete-user', {}, { cookie: cookie ?? '' })
    expect(gone.status).toBeGreaterThanOrEqual(400)
    const lines = await auth.post('/update-user', { name: 'a\nb' }, { cookie: cookie ?? '' })
    expect(lines.status).toBe(400)
  })

  it('sends no body that is large, deep, or no object', async () => {
    expect((await post(JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(17_000) }))).status).toBe(413)
    expect((await post(`{"email":${'['.repeat(200)}${']'.repeat(200)}}`)).status).toBe(400)
    for (const body of ['[]', '"text"', '{', 'null']) expect((await post(body)).status, body).toBe(400)
    for (const email of [1, null, {}, ['a@example.com'], 'x'.repeat(5_000)]) {
      expect((await auth.post('/sign-in/email', { email, password })).status).toBe(400)
    }
  })

  it('finds the same answer and about the same work behind an unknown address and a wrong password', async () => {
    const email = await signUp()
    const wrong = await auth.post('/sign-in/email', { email, password: 'not the password' })
    const nobody = await auth.post('/sign-in/email', { email: newAddress(), password: 'not the password' })
    expect(nobody.status).toBe(401)
    expect(nobody.body).toEqual(wrong.body)
    expect(wrong.status).toBe(401)
    const known = await auth.post('/request-password-reset', { email })
    const unknown = await auth.post('/request-password-reset', { email: newAddress() })
    expect(unknown).toMatchObject({ status: 200, body: known.body })
  })

  it('reads no secret and no address in the log', async () => {
    const email = await signUp()
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    const token = await resetToken(email)
    await auth.post('/reset-password', { token, newPassword: 'a brand new password' })
    await auth.get(`/verify-email?token=${'x'.repeat(30)}`)
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    await auth.post('/sign-in/email', { email, password: 'a wrong password' })
    const log = gateway.logLines.join('\n')
    const value = decodeURIComponent(cookie ?? '').split('=')[1] ?? ''
    const secrets = [password, 'a brand new password', 'a wrong password', token, value.split('.')[0] ?? '', email]
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10)
      expect(log).not.toContain(secret)
    }
  })

  it('finds pages behind the links that repeat nothing and load nothing', async () => {
    for (const path of ['/account/confirm-address', '/account/new-password']) {
      const reply = await gateway.as().get(`${path}?token=%3Cscript%3Ealert(1)%3C/script%3E`)
      expect(reply.status).toBe(200)
      const policy = reply.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.text).not.toContain('alert')
    }
  })

  it('finds an error page that repeats nothing and runs nothing', async () => {
    const reply = await gateway.as().get('/api/auth/error?error=%3Cscript%3Ealert(1)%3C/script%3E')
    expect(reply.text).not.toContain('alert')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    const unknown = await auth.get('/no-such-thing')
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 404 } } })
  })

  it('has proven nothing by opening the link of a mail, as mail scanners do', async () => {
    const email = newAddress()
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const link = linkIn(await mail.nextTo(email))
    expect((await gateway.as().get(`${link.pathname}${link.search}`)).status).toBe(200)
    expect((await auth.post('/sign-in/email', { email, password })).status).toBe(403)
  })
})

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
