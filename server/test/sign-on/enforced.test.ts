import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import { authClient } from '#test/sign-in/auth-client.ts'
import { type OidcProvider, startOidcProvider } from './start-oidc-provider.ts'
import { type SignOnHome, type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
let home: SignOnHome
let provider: OidcProvider
let one: string
beforeAll(async () => {
  world = await startSignOnWorld()
  home = await world.newHome()
  provider = await startOidcProvider([home.redirectUri])
  const { issuer, clientId, clientSecret } = provider
  const added = await home.admin.post(`${home.path}/connections`, { name: 'Staff', issuer, clientId, clientSecret })
  one = `${home.path}/connections/${String(added.data['id'])}`
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const password = 'a long enough password'

async function setPassword(userId: string, email: string): Promise<void> {
  await world.pool.query('UPDATE users SET email = $2 WHERE id = $1', [userId, email])
  const entry = { chainId: home.id, actor: { kind: 'operator', id: null, name: null }, requestId: null } as const
  await createPersonAccounts(world.pool, Date.now).setPassword(
    userId,
    { password, dropSecondFactor: false },
    { ...entry, action: 'user.password.set', target: null },
  )
  await world.pool.query('UPDATE auth_users SET email = $2 WHERE id = $1', [userId, email])
}

const signIn = (email: string, secret = password) =>
  authClient(world).post('/sign-in/email', { email, password: secret })

async function test(subject: string) {
  const id = one.slice(one.lastIndexOf('/') + 1)
  const browser = world.browser()
  const cookie = await world.signIn(home.adminUserId)
  const [name = '', value = ''] = cookie.split('=')
  browser.setCookie(name, value)
  const form = await browser.open(`/api/sign-on/${home.id}/start?connection=${id}&test=true`)
  await browser.open(form.url.href, { form: { login: subject } })
  const { json } = await home.admin.get(`${home.path}/connections`)
  return (json['data'] as { id: string; test: unknown; testedAt: string | null }[]).find((each) => each.id === id)
}

describe('enforced sign-on', () => {
  it('needs an enabled connection that was tested successfully with its present settings', async () => {
    expect((await home.admin.patch(one, { enforced: true })).status).toBe(409)
    expect((await home.admin.patch(one, { enabled: true, enforced: true })).status).toBe(409)
    provider.people.set('far', { email: 'far@elsewhere.example', email_verified: true })
    expect(await test('far')).toMatchObject({
      test: { error: expect.stringContaining('not in a verified domain'), claims: { sub: 'far' } },
      testedAt: null,
    })
    expect((await home.admin.patch(one, { enabled: true, enforced: true })).status).toBe(409)
    provider.people.set('near', { email: `near@${home.domain}`, email_verified: true, groups: ['staff'] })
    expect(await test('near')).toMatchObject({
      test: { error: null, claims: { sub: 'near', groups: ['staff'] } },
      testedAt: expect.any(String),
    })
    // A test signs no one in and creates no account.
    const { rowCount } = await world.pool.query(`SELECT 1 FROM users WHERE email LIKE 'near@%'`)
    expect(rowCount).toBe(0)
    expect((await home.admin.patch(one, { enabled: true, enforced: true })).status).toBe(200)
    // New settings are untested, so they are not enforced until they are tested.
    const changed = await home.admin.patch(one, { groupsClaim: 'roles' })
    expect(changed.data).toMatchObject({ enabled: true, enforced: false, testedAt: null, test: null })
    await test('near')
    expect((await home.admin.patch(one, { enforced: true })).data).toMatchObject({ enforced: true })
  })

  it('refuses passwords in its domains, except of administrators, and tells strangers nothing', async () => {
    const member = await world.addMember(home.id, { role: 'member' })
    const stranger = await world.createClient()
    const outsider = await world.createClient()
    const viewer = await world.addMember(home.id, { role: 'billing_viewer' })
    await setPassword(member.userId, `member@${home.domain}`)
    await setPassword(viewer.userId, `viewer@${home.domain}`)
    await setPassword(stranger.userId, `stranger@${home.domain}`)
    await setPassword(outsider.userId, `outsider@sub.${home.domain}`)
    await setPassword(home.adminUserId, `admin@${home.domain}`)
    const refused = { status: 403, code: 'SIGN_ON_REQUIRED', session: false }
    const entered = { status: 200, code: undefined, session: true }
    const wrong = { status: 401, code: 'INVALID_EMAIL_OR_PASSWORD', session: false }
    for (const [name, expected] of [
      [`member@${home.domain}`, refused],
      [`viewer@${home.domain}`, refused],
      [`stranger@${home.domain}`, refused],
      [`outsider@sub.${home.domain}`, entered],
      [`admin@${home.domain}`, entered],
    ] as const) {
      const { status, body, cookie } = await signIn(name)
      expect({ status, code: body['code'], session: cookie !== null }, name).toEqual(expected)
    }
    for (const name of ['member', 'nobody', 'admin']) {
      const { status, body, cookie } = await signIn(`${name}@${home.domain}`, 'some wrong password')
      expect({ status, code: body['code'], session: cookie !== null }, name).toEqual(wrong)
    }
    // A suspended administrator is no administrator.
    await world.addMember(home.id, { role: 'org_admin' })
    await world.pool.query('UPDATE members SET suspended_at = now() WHERE user_id = $1', [home.adminUserId])
    expect((await signIn(`admin@${home.domain}`)).status).toBe(403)
  })

  it('has no address of its own for beginning sessions', async () => {
    expect((await authClient(world).post('/signed-on', {})).status).toBe(404)
  })
})
