import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPassword, vouchForAddress } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { purgeExpired } from '#store/postgres/people/people.sql.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { authClient } from './auth-client.ts'
import { oneTimeCode } from './one-time-code.ts'

describe('what operators do about signing in', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  const deps = () => ({
    users: createPostgresOperators(gateway.pool).users,
    accounts: createPersonAccounts(gateway.pool, Date.now),
  })

  it('gives a person a password that works, and ends the sessions of the one before', async () => {
    const auth = authClient(gateway)
    const { userId } = await gateway.createClient()
    const { user, password } = await setPassword(
      deps(),
      { reference: userId, dropSecondFactor: false },
      operatorAuthor(0).actor,
    )
    const { cookie } = await auth.post('/sign-in/email', { email: user.email, password })
    expect((await auth.get('/get-session', { cookie: cookie ?? '' })).body).toMatchObject({ user: { id: userId } })
    const next = await setPassword(deps(), { reference: userId, dropSecondFactor: false }, operatorAuthor(0).actor)
    expect((await auth.get('/get-session', { cookie: cookie ?? '' })).body).toEqual({})
    expect((await auth.post('/sign-in/email', { email: user.email, password })).status).toBe(401)
    expect((await auth.post('/sign-in/email', { email: user.email, password: next.password })).status).toBe(200)
    const { rows } = await gateway.pool.query<{ action: string; entry: string }>(
      'SELECT action, row_to_json(e)::text AS entry FROM audit_entries e WHERE target_id = $1',
      [userId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['user.password.set', 'user.password.set'])
    expect(rows.map(({ entry }) => entry).join()).not.toContain(next.password)
  })

  it('takes a second factor away from a person who has lost the device', async () => {
    const auth = authClient(gateway)
    const { userId } = await gateway.createClient()
    const first = await setPassword(deps(), { reference: userId, dropSecondFactor: false }, operatorAuthor(0).actor)
    const { email } = first.user
    const { cookie } = await auth.post('/sign-in/email', { email, password: first.password })
    const enabled = await auth.post('/two-factor/enable', { password: first.password }, { cookie: cookie ?? '' })
    const code = oneTimeCode(String(enabled.body['totpURI']), Date.now())
    expect((await auth.post('/two-factor/verify-totp', { code }, { cookie: cookie ?? '' })).status).toBe(200)
    const kept = await setPassword(deps(), { reference: userId, dropSecondFactor: false }, operatorAuthor(0).actor)
    const asked = await auth.post('/sign-in/email', { email, password: kept.password })
    expect(asked).toMatchObject({ cookie: null, body: { twoFactorRedirect: true } })
    const dropped = await setPassword(deps(), { reference: userId, dropSecondFactor: true }, operatorAuthor(0).actor)
    const signedIn = await auth.post('/sign-in/email', { email, password: dropped.password })
    expect(signedIn.cookie).not.toBeNull()
  })

  it('lets a person be found whose address they vouch for', async () => {
    const email = 'grace@example.com'
    await authClient(gateway).post('/sign-up/email', { email, password: 'correct horse battery', name: 'Grace' })
    const { users } = deps()
    expect(await users.findVerified(email)).toBeNull()
    const { id } = await vouchForAddress(deps(), email, operatorAuthor(0).actor)
    expect(await users.findVerified(email)).toMatchObject({ id })
  })

  it('forgets sessions and links a day after they have run out, and no others', async () => {
    const { userId } = await gateway.createClient()
    for (const ago of ['2 days', '1 hour']) {
      await gateway.signIn(userId)
      await gateway.pool.query(
        `UPDATE auth_sessions SET expires_at = now() - $2::interval WHERE user_id = $1 AND expires_at > now()`,
        [userId, ago],
      )
    }
    await gateway.signIn(userId)
    await gateway.pool.query(
      `INSERT INTO auth_verifications (id, identifier, value, expires_at) VALUES
         ('01890000-0000-7000-8000-00000000000a', 'old', '', now() - interval '2 days'),
         ('01890000-0000-7000-8000-00000000000b', 'new', '', now() + interval '1 hour')`,
    )
    expect(await purgeExpired(gateway.pool, 500)).toBe(1)
    const sessions = await gateway.pool.query('SELECT 1 FROM auth_sessions WHERE user_id = $1', [userId])
    const links = await gateway.pool.query(
      `SELECT identifier FROM auth_verifications WHERE identifier IN ('old', 'new')`,
    )
    expect(sessions.rowCount).toBe(2)
    expect(links.rows).toEqual([{ identifier: 'new' }])
  })
})
