import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealingKeyFrom } from '#lib/seal.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { linkIn, type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { sendMails } from '#test/setup/send-mails.ts'
import { authClient } from './auth-client.ts'

const password = 'correct horse battery'
let people = 0
const newAddress = (): string => `ada${(people += 1)}.${process.pid}@example.com`

describe('signing up with a mail server', () => {
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

  const usersOf = async (email: string) => {
    const { rows } = await gateway.pool.query<{
      id: string
      email_verified: boolean
      wallets: string
      auth_id: string
    }>(
      `SELECT u.id, u.email_verified, count(w.id) AS wallets, a.id AS auth_id FROM users u
       LEFT JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id LEFT JOIN auth_users a ON a.email = lower(u.email)
       WHERE lower(u.email) = lower($1) GROUP BY 1, 2, 4`,
      [email],
    )
    return rows
  }
  const confirm = async (email: string) => {
    const link = linkIn(await mail.nextTo(email))
    expect(link.pathname).toBe('/account/confirm-address')
    return auth.get(`/verify-email${link.search}`)
  }

  it('sends the link later where the mail server did not accept it at once, and keeps it encrypted until then', async () => {
    const email = newAddress()
    mail.refuse('421 4.3.2 Restarting')
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const waiting = async () => {
      const text = 'SELECT subject, body, last_error FROM mail_outbox WHERE address = $1 AND last_error IS NOT NULL'
      return (await gateway.pool.query<{ body: string }>(text, [email])).rows
    }
    await expect.poll(waiting).toMatchObject([{ subject: 'Confirm your email address' }])
    expect((await waiting())[0]?.body).not.toMatch(/confirm|http|token/i)
    mail.refuse(null)
    await gateway.pool.query('UPDATE mail_outbox SET due_at = now() WHERE due_at IS NOT NULL')
    const sent = await sendMails(gateway.pool, { url: mail.url, sealingKey: sealingKeyFrom(testSecret) })
    expect(sent).toEqual(['sign_in sent'])
    expect((await confirm(email)).status).toBe(302)
    expect((await gateway.pool.query('SELECT 1 FROM mail_outbox WHERE address = $1', [email])).rows).toEqual([])
  })

  it('makes the account and its wallet together, and lets nobody in before the address is proven', async () => {
    const email = newAddress()
    const up = await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    expect(up).toMatchObject({ status: 200, cookie: null })
    const [user, ...others] = await usersOf(email)
    expect(others).toEqual([])
    expect(user).toMatchObject({ email_verified: false, wallets: '1', auth_id: user?.id })
    const { users } = createPostgresOperators(gateway.pool)
    expect(await users.findVerified(email)).toBeNull()

    expect(await auth.post('/sign-in/email', { email, password })).toMatchObject({ status: 403, cookie: null })
    const confirmed = await confirm(email)
    expect(confirmed.status).toBe(302)
    const signedIn = await auth.post('/sign-in/email', { email, password })
    expect(signedIn.status).toBe(200)
    const session = await auth.get('/get-session', { cookie: signedIn.cookie ?? '' })
    expect(session.body).toMatchObject({ user: { id: user?.id, email, emailVerified: true } })
    expect(await users.findVerified(email.toUpperCase())).toMatchObject({ id: user?.id })
  })

  it('answers the same whether an address has an account or not, and tells its owner by mail', async () => {
    const email = newAddress()
    const first = await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    await confirm(email)
    const again = await auth.post('/sign-up/email', { email, password: 'something else entirely', name: 'Ada' })
    expect(again.status).toBe(first.status)
    const shape = ({ body }: typeof first) => JSON.stringify(body).replaceAll(/[\da-f-]{36}|\d{4}-[^"]*Z/g, '…')
    expect(shape(again)).toBe(shape(first))
    expect((await mail.nextTo(email)).headers['subject']).toBe('You already have an account')
    expect(await auth.post('/sign-in/email', { email, password: 'something else entirely' })).toMatchObject({
      status: 401,
    })
    expect(await auth.post('/sign-in/email', { email, password })).toMatchObject({ status: 200 })
  })

  it('gives nobody the account that an operator made, except by mail to its address', async () => {
    const email = newAddress()
    const made = await createPostgresOperators(gateway.pool).users.create({
      id: '01890000-0000-7000-8000-000000000001',
      walletId: '01890000-0000-7000-8000-000000000002',
      email: email.replace('ada', 'Ada'),
      name: 'Ada',
    })
    expect(made).toBe(true)
    const chosenByAnybody = 'chosen by anybody'
    expect(await auth.post('/sign-up/email', { email, password: chosenByAnybody, name: 'Eve' })).toMatchObject({
      status: 200,
    })
    expect(await auth.post('/sign-in/email', { email, password: chosenByAnybody })).toMatchObject({ status: 401 })
    const link = linkIn(await mail.nextTo(email))
    expect(link.pathname).toBe('/account/new-password')
    const token = link.searchParams.get('token')
    expect(await auth.post('/reset-password', { token, newPassword: password })).toMatchObject({ status: 200 })
    expect(await auth.post('/sign-in/email', { email, password: chosenByAnybody })).toMatchObject({ status: 401 })
    const signedIn = await auth.post('/sign-in/email', { email, password })
    expect(signedIn.body).toMatchObject({ user: { id: '01890000-0000-7000-8000-000000000001', name: 'Ada' } })
    expect(await usersOf(email)).toHaveLength(1)
  })

  it('replaces what a squatter chose once the owner of the address comes', async () => {
    const email = newAddress()
    await auth.post('/sign-up/email', { email, password: "the squatter's password", name: 'Eve' })
    await mail.nextTo(email)
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    const link = linkIn(await mail.nextTo(email))
    expect(link.pathname).toBe('/account/new-password')
    await auth.post('/reset-password', { token: link.searchParams.get('token'), newPassword: password })
    expect(await auth.post('/sign-in/email', { email, password: "the squatter's password" })).toMatchObject({
      status: 401,
    })
    expect(await auth.post('/sign-in/email', { email, password })).toMatchObject({ status: 200 })
    const [user] = await usersOf(email)
    expect(user?.email_verified).toBe(true)
  })

  it('never takes over an account that only the users table knows', async () => {
    const email = newAddress()
    const id = '01890000-0000-7000-8000-000000000003'
    await gateway.pool.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, email])
    await auth.post('/sign-up/email', { email, password, name: 'Eve' })
    await confirm(email)
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    const reply = await gateway.as({ cookie: cookie ?? '' }).get('/v1/orgs')
    expect(reply.status).toBe(401)
    expect(await usersOf(email)).toMatchObject([{ id }])
  })

  it.each(['ada@example.com,eve@example.net', 'ada@example.com\r\nBcc: eve@example.net', 'Ada <ada@example.com>'])(
    'refuses %j as an address',
    async (email) => {
      expect(await auth.post('/sign-up/email', { email, password, name: 'Ada' })).toMatchObject({ status: 400 })
    },
  )

  it('sends a mailbox six links for a new password an hour at most, beside other mails', async () => {
    const email = newAddress()
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    for (let asked = 0; asked < 10; asked += 1) {
      expect(await auth.post('/request-password-reset', { email })).toMatchObject({ status: 200 })
    }
    for (let mails = 0; mails < 7; mails += 1) await mail.nextTo(email)
    // A mail to another address shows that no more mails are pending for the first.
    const other = newAddress()
    await auth.post('/sign-up/email', { email: other, password, name: 'Bob' })
    await mail.nextTo(other)
    expect(mail.mails.filter(({ to }) => to.includes(email))).toHaveLength(7)
  })
})

describe('signing up without a mail server', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  it('asks nobody to prove an address, but finds nobody by it', async () => {
    const auth = authClient(gateway)
    const email = newAddress()
    expect(await auth.post('/sign-up/email', { email, password, name: 'Ada' })).toMatchObject({ status: 200 })
    const { status, cookie } = await auth.post('/sign-in/email', { email, password })
    expect(status).toBe(200)
    const reply = await gateway.as({ cookie: cookie ?? '' }).get('/v1/orgs')
    expect(reply.status).toBe(200)
    expect(await createPostgresOperators(gateway.pool).users.findVerified(email)).toBeNull()
    expect(await auth.post('/request-password-reset', { email })).toMatchObject({ status: 200 })
    const dropped = () => gateway.logLines.filter((line) => line.includes('email not sent'))
    await expect.poll(dropped).toHaveLength(1)
    const { rows } = await gateway.pool.query('SELECT class, last_error, address, body FROM mail_outbox')
    expect(rows).toEqual([{ class: 'sign_in', last_error: 'no_mail_server', address: null, body: null }])
    expect(gateway.logLines.join()).not.toContain(email)
  })
})
