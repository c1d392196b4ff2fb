import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authClient, cookiesIn } from '#test/sign-in/auth-client.ts'
import { oneTimeCode } from '#test/sign-in/one-time-code.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway
let ownerId: string
let owner: ReturnType<typeof createClient>
beforeAll(async () => {
  gateway = await startTestGateway()
  ownerId = (await gateway.createClient()).userId
  await gateway.addOperator(ownerId, 'owner')
  owner = await sessionOf(ownerId)
})
afterAll(() => gateway.close())

async function sessionOf(userId: string, session = { secondFactor: true }) {
  return createClient(gateway.url, { cookie: await gateway.signIn(userId, session) })
}

async function emailOf(userId: string): Promise<string> {
  const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return rows[0]?.email ?? ''
}

const people = '/api/admin/operators'

describe('an owner', () => {
  it('adds, changes and removes an operator, and the log names the owner', async () => {
    const { userId } = await gateway.createClient()
    const email = await emailOf(userId)
    const colleague = await sessionOf(userId)
    expect((await colleague.get('/api/admin/brake')).status).toBe(403)

    const added = await owner.post(people, { email, role: 'support' })
    expect([added.status, added.json]).toMatchObject([201, { userId, email, role: 'support', hasSecondFactor: false }])
    expect((await colleague.get('/api/operator')).json).toEqual({
      role: 'support',
      secondFactor: true,
      signInExpired: false,
    })
    expect((await colleague.get('/api/admin/brake')).status).toBe(200)
    expect((await owner.post(people, { email, role: 'support' })).status).toBe(409)

    const changed = await owner.patch(`${people}/${userId}`, { role: 'finance' })
    expect([changed.status, changed.json['role']]).toEqual([200, 'finance'])
    expect((await colleague.get('/api/admin/brake')).status).toBe(403)

    expect((await owner.delete(`${people}/${email}`)).status).toBe(204)
    expect((await colleague.get('/api/admin/invoices')).status).toBe(403)
    expect((await colleague.get('/api/operator')).json).toMatchObject({ role: null })
    expect((await owner.delete(`${people}/${email}`)).status).toBe(404)

    const { rows } = await gateway.pool.query(
      `SELECT action, actor_kind, actor_id, before, after FROM audit_entries WHERE target_id = $1 ORDER BY sequence`,
      [userId],
    )
    const actor = { actor_kind: 'operator', actor_id: ownerId }
    expect(rows).toEqual([
      { action: 'operator.add', ...actor, before: null, after: { role: 'support' } },
      { action: 'operator.update', ...actor, before: { role: 'support' }, after: { role: 'finance' } },
      { action: 'operator.remove', ...actor, before: { role: 'finance' }, after: null },
    ])
  })

  it('who is the last one stays', async () => {
    for (const refused of [
      await owner.delete(`${people}/${ownerId}`),
      await owner.patch(`${people}/${ownerId}`, { role: 'read_only' }),
    ]) {
      expect(refused.status).toBe(409)
      expect(refused.json['error']).toMatchObject({ message: expect.stringContaining('last owner') })
    }
    expect((await owner.get(people)).status).toBe(200)
  })

  it('is removed when the person deletes the account, unless no other owner is left', async () => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'owner')
    const leaving = await sessionOf(userId)
    const deletes = async (session: typeof owner, id: string) =>
      session.post('/api/account/delete', { email: await emailOf(id) })
    expect((await deletes(leaving, userId)).status).toBe(204)
    const { rows } = await gateway.pool.query(
      `SELECT action, before FROM audit_entries WHERE target_id = $1 ORDER BY sequence`,
      [userId],
    )
    expect(rows).toEqual([
      { action: 'operator.remove', before: { role: 'owner' } },
      { action: 'user.delete', before: null },
    ])
    expect((await owner.get(people)).text).not.toContain(userId)

    const refused = await deletes(owner, ownerId)
    expect([refused.status, refused.json['error']]).toMatchObject([
      409,
      { message: expect.stringContaining('last owner') },
    ])
    expect((await owner.get(people)).status).toBe(200)
  })

  it('is not counted while suspended', async () => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'owner')
    await gateway.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [userId])
    expect((await owner.delete(`${people}/${ownerId}`)).status).toBe(409)
    expect((await owner.delete(`${people}/${userId}`)).status).toBe(204)
  })

  it.each([
    [{ email: 'nobody@example.com', role: 'owner' }, 404],
    [{ email: 'nobody@example.com', role: 'admin' }, 400],
    [{ role: 'owner' }, 400],
  ])('adds nobody with %j: %i', async (body, status) => {
    expect((await owner.post(people, body)).status).toBe(status)
  })

  it('adds nobody who signed up with an unverified address', async () => {
    const email = 'mallory@example.com'
    await authClient(gateway).post('/sign-up/email', { email, password: 'correct horse battery', name: 'Mallory' })
    expect((await owner.post(people, { email, role: 'owner' })).status).toBe(404)
  })

  it('lists operator keys with their roles, and revokes them, but no key of an account', async () => {
    const { keyId, key } = await gateway.addOperatorKey({ name: 'nightly', role: 'read_only' })
    const machine = gateway.as(key)
    const listed = await owner.get('/api/admin/operator-keys')
    expect(listed.json['data']).toContainEqual(
      expect.objectContaining({ id: keyId, name: 'nightly', role: 'read_only' }),
    )
    expect(listed.text).not.toContain(key)
    expect((await machine.get('/api/admin/brake')).status).toBe(200)
    expect((await machine.put('/api/admin/brake', { engaged: false })).status).toBe(403)
    expect((await owner.delete(`/api/admin/operator-keys/${keyId}`)).status).toBe(204)
    expect((await machine.get('/api/admin/brake')).status).toBe(401)
    expect((await owner.delete(`/api/admin/operator-keys/${keyId}`)).status).toBe(404)
    const account = await gateway.createClient()
    expect((await owner.delete(`/api/admin/operator-keys/${account.keyId}`)).status).toBe(404)
    expect((await gateway.as(account).get('/v1/key')).status).toBe(200)
  })

  it('is suspended by no other operator', async () => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'support')
    const support = await sessionOf(userId)
    const refused = await support.post(`/api/admin/users/${ownerId}/suspend`)
    expect([refused.status, refused.json['error']]).toMatchObject([
      409,
      { message: expect.stringContaining('operator') },
    ])
    expect((await owner.get(people)).status).toBe(200)
  })

  it('has a key from before the roles, which may do everything', async () => {
    const { keyId, key } = await gateway.addOperatorKey({ role: 'read_only' })
    await gateway.pool.query('UPDATE api_keys SET operator_role = NULL WHERE id = $1', [keyId])
    expect((await gateway.as(key).get(people)).status).toBe(200)
  })
})

describe('the session of an operator', () => {
  const password = 'correct horse battery'

  /** Signs up an operator without a second factor. */
  async function signUp(email: string) {
    const auth = authClient(gateway)
    await auth.post('/sign-up/email', { email, password, name: 'Grace' })
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    const userId = rows[0]?.id ?? ''
    await gateway.addOperator(userId, 'support')
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    return { auth, userId, cookie: cookie ?? '' }
  }

  it('needs a second factor, which the code of an authenticator app proves', async () => {
    const { auth, cookie } = await signUp('grace@example.com')
    const refused = await createClient(gateway.url, { cookie }).get('/api/admin/brake')
    expect([refused.status, refused.json['error']]).toMatchObject([403, { code: 'second_factor_required' }])

    const enabled = await auth.post('/two-factor/enable', { password }, { cookie })
    const address = String(enabled.body['totpURI'])
    const enrolled = await auth.post('/two-factor/verify-totp', { code: oneTimeCode(address, Date.now()) }, { cookie })
    const operator = createClient(gateway.url, { cookie: enrolled.cookie ?? '' })
    expect((await operator.get('/api/admin/brake')).status).toBe(200)
    expect((await operator.put('/api/admin/brake', { engaged: false })).status).toBe(200)
  })

  it('that a trusted device began before the person was an operator has proven none', async () => {
    const email = 'ruth@example.com'
    const { auth, userId, cookie } = await signUp(email)
    const enabled = await auth.post('/two-factor/enable', { password }, { cookie })
    const code = () => oneTimeCode(String(enabled.body['totpURI']), Date.now())
    await auth.post('/two-factor/verify-totp', { code: code() }, { cookie })
    await owner.delete(`${people}/${email}`)
    const asked = await auth.post('/sign-in/email', { email, password })
    const challenge = { cookie: cookiesIn(asked.headers) }
    const proven = await auth.post('/two-factor/verify-totp', { code: code(), trustDevice: true }, challenge)
    const device = { cookie: cookiesIn(proven.headers) }
    const trusted = await auth.post('/sign-in/email', { email, password }, device)
    expect(trusted.cookie).not.toBeNull()

    await gateway.addOperator(userId, 'support')
    const refused = await createClient(gateway.url, { cookie: trusted.cookie ?? '' }).get('/api/admin/brake')
    expect(refused.json['error']).toMatchObject({ code: 'second_factor_required' })
    const again = await auth.post('/sign-in/email', { email, password }, { cookie: cookiesIn(trusted.headers) })
    expect(again.body).toMatchObject({ twoFactorRedirect: true })
  })

  it('loses it when a new session replaces it without one', async () => {
    const { auth, cookie } = await signUp('rosa@example.com')
    const enabled = await auth.post('/two-factor/enable', { password }, { cookie })
    const code = oneTimeCode(String(enabled.body['totpURI']), Date.now())
    const enrolled = await auth.post('/two-factor/verify-totp', { code }, { cookie })
    const disabled = await auth.post('/two-factor/disable', { password }, { cookie: enrolled.cookie ?? '' })
    const refused = await createClient(gateway.url, { cookie: disabled.cookie ?? '' }).get('/api/admin/brake')
    expect(refused.json['error']).toMatchObject({ code: 'second_factor_required' })
  })

  it('changes nothing ten minutes after the sign-in, and reads nothing after eight hours', async () => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'support')
    const operator = await sessionOf(userId)
    const age = (interval: string) =>
      gateway.pool.query('UPDATE auth_sessions SET created_at = now() - $2::interval WHERE user_id = $1', [
        userId,
        interval,
      ])
    await age('11 minutes')
    expect((await operator.get('/api/admin/brake')).status).toBe(200)
    const change = await operator.put('/api/admin/brake', { engaged: false })
    expect([change.status, change.json['error']]).toMatchObject([403, { code: 'step_up_required' }])
    expect((await operator.get('/api/operator')).json).toMatchObject({ signInExpired: false })
    await age('481 minutes')
    expect((await operator.get('/api/operator')).json).toMatchObject({ role: 'support', signInExpired: true })
    expect((await operator.get('/api/admin/brake')).json['error']).toMatchObject({ code: 'step_up_required' })
  })

  it('changes nothing for a page of another site', async () => {
    const cookie = await gateway.signIn(ownerId, { secondFactor: true })
    const headers = { origin: 'https://evil.example' }
    const forged = createClient(gateway.url, { cookie }).put('/api/admin/brake', { engaged: true }, { headers })
    expect((await forged).status).toBe(403)
    expect((await owner.get('/api/admin/brake')).json).toEqual({ engaged: false })
  })

  it('ends with the suspension of the person', async () => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'read_only')
    const operator = await sessionOf(userId)
    expect((await operator.get('/api/admin/brake')).status).toBe(200)
    await gateway.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [userId])
    expect((await operator.get('/api/admin/brake')).status).toBe(403)
  })
})
