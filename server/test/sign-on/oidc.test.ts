import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OidcProvider, startOidcProvider } from './start-oidc-provider.ts'
import { type SignOnHome, type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'
import type { TestBrowser } from './test-browser.ts'

let world: SignOnWorld
let home: SignOnHome
let provider: OidcProvider
let connectionId: string
beforeAll(async () => {
  world = await startSignOnWorld()
  home = await world.newHome()
  provider = await startOidcProvider([home.redirectUri])
  const { issuer, clientId, clientSecret } = provider
  const added = await home.admin.post(`${home.path}/connections`, { name: 'Staff', issuer, clientId, clientSecret })
  expect(added.status, added.text).toBe(201)
  connectionId = String(added.data['id'])
  const enabled = await home.admin.patch(`${home.path}/connections/${connectionId}`, { enabled: true })
  expect(enabled.status, enabled.text).toBe(200)
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const startUrl = (query = ''): string => `/api/sign-on/${home.id}/start?connection=${connectionId}${query}`

/** Signs a person of the provider in and returns the page that the browser ends at. */
async function signOn(
  subject: string,
  browser: TestBrowser = world.browser(),
  query = '',
  site: 'same-origin' | 'cross-site' = 'same-origin',
): Promise<string> {
  const form = await browser.open(startUrl(query), { site })
  // The provider remembers the person of a browser and shows no form the next time.
  const isForm = form.text.includes('Identity provider')
  const page = isForm ? await browser.open(form.url.href, { form: { login: subject } }) : form
  return page.url.pathname + page.url.search
}

/** Whether the address is the one that the provider leads back to. */
function isCallback(url: URL): boolean {
  return url.pathname.endsWith('/callback')
}

async function memberOf(userId: string | null) {
  const { rows } = await world.pool.query<{ role: string; team_id: string | null }>(
    'SELECT role, team_id FROM members WHERE organization_id = $1 AND user_id = $2',
    [home.id, userId],
  )
  return rows[0] ?? null
}

describe('sign-on with OpenID Connect', () => {
  it('finds the organization by the domain of an address', async () => {
    const found = await world.as().get(`/api/sign-on?domain=${home.domain}`)
    expect(found.json['data']).toMatchObject({ start: startUrl(), enforced: false })
    expect((await world.as().get('/api/sign-on?domain=unknown.example')).json['data']).toBeNull()
  })

  it('creates an account and a membership at the first sign-in, and finds both at the next', async () => {
    const email = `grace@${home.domain}`
    provider.people.set('grace', { email, email_verified: true, name: 'Grace Hopper' })
    const browser = world.browser()
    expect(await signOn('grace', browser)).toMatch(/^\/console\/o\//)
    const userId = await world.personIn(browser)
    expect(userId).not.toBeNull()
    expect(await memberOf(userId)).toEqual({ role: 'member', team_id: null })
    // The address changes at the provider; the person is the same.
    provider.people.set('grace', { email: `hopper@${home.domain}`, email_verified: true })
    const again = world.browser()
    await signOn('grace', again)
    expect(await world.personIn(again)).toBe(userId)
    const actions = (await world.auditOf(home.id)).filter(({ target_id }) => target_id === userId)
    expect(actions.map(({ action }) => action)).toEqual(['sign_on.identity.link'])
  })

  it('links an account only if its owner has confirmed the address', async () => {
    const email = `linus@${home.domain}`
    const { userId } = await world.createClient()
    await world.pool.query('UPDATE users SET email = $2 WHERE id = $1', [userId, email])
    provider.people.set('linus', { email: email.toUpperCase(), email_verified: true })
    await world.pool.query('UPDATE users SET email_verified = false WHERE id = $1', [userId])
    expect(await signOn('linus')).toBe('/console/sign-in?sign_on=unconfirmed')
    await world.pool.query('UPDATE users SET email_verified = true WHERE id = $1', [userId])
    const browser = world.browser()
    await signOn('linus', browser)
    expect(await world.personIn(browser)).toBe(userId)
    // The provider gives the address to another person, who does not get the account.
    provider.people.set('second-linus', { email, email_verified: true })
    expect(await signOn('second-linus')).toBe('/console/sign-in?sign_on=other_subject')
  })

  it('refuses a linked account whose address has left the verified domains', async () => {
    provider.people.set('barbara', { email: `barbara@${home.domain}`, email_verified: true })
    const browser = world.browser()
    await signOn('barbara', browser)
    const userId = await world.personIn(browser)
    expect(userId).not.toBeNull()
    await world.pool.query(`UPDATE users SET email = 'barbara@elsewhere.example' WHERE id = $1`, [userId])
    expect(await signOn('barbara')).toBe('/console/sign-in?sign_on=address')
  })

  it('links an account with a second factor only if its owner was signed in before', async () => {
    const email = `ada@${home.domain}`
    const { userId } = await world.createClient()
    await world.pool.query('UPDATE users SET email = $2, email_verified = true WHERE id = $1', [userId, email])
    const session = await world.signIn(userId)
    await world.pool.query('UPDATE auth_users SET two_factor_enabled = true WHERE id = $1', [userId])
    provider.people.set('ada-2', { email, email_verified: true })
    const stranger = world.browser()
    expect(await signOn('ada-2', stranger)).toBe('/console/sign-in?sign_on=second_factor')
    expect(await world.personIn(stranger)).toBeNull()
    const other = world.browser()
    setSession(other, await world.signIn((await world.createClient()).userId))
    expect(await signOn('ada-2', other)).toBe('/console/sign-in?sign_on=second_factor')
    const owner = world.browser()
    setSession(owner, session)
    // A link on another site does not speak for the owner.
    expect(await signOn('ada-2', owner, '', 'cross-site')).toBe('/console/sign-in?sign_on=second_factor')
    expect(await signOn('ada-2', owner)).not.toContain('sign_on=')
    // The account is linked from now on, and the provider asks for its own factors.
    const later = world.browser()
    expect(await signOn('ada-2', later)).not.toContain('sign_on=')
    expect(await world.personIn(later)).toBe(userId)
  })

  it('does not ask a linked account for a second factor that its owner added later: the provider vouches', async () => {
    provider.people.set('tim', { email: `tim@${home.domain}`, email_verified: true })
    const first = world.browser()
    await signOn('tim', first)
    const userId = await world.personIn(first)
    await world.pool.query('UPDATE auth_users SET two_factor_enabled = true WHERE id = $1', [userId])
    const later = world.browser()
    expect(await signOn('tim', later)).toMatch(/^\/console\/o\//)
    expect(await world.personIn(later)).toBe(userId)
  })

  it.each([
    ['an address of another domain', { email: 'eve@elsewhere.example', email_verified: true }],
    ['an unverified address', { email: 'eve@HOME', email_verified: false }],
    ['no address', {}],
  ])('refuses %s', async (_what, claims: { email?: string }) => {
    const email = claims.email?.replace('HOME', home.domain)
    provider.people.set('eve', email === undefined ? claims : { ...claims, email })
    const browser = world.browser()
    expect(await signOn('eve', browser)).toBe('/console/sign-in?sign_on=address')
    expect(await world.personIn(browser)).toBeNull()
  })

  it('gives the team and role of the first mapped group at each sign-in, but never makes administrators', async () => {
    const { teamId } = await world.addTeam(home.id)
    const groups = [
      { group: 'leads', teamId, role: 'team_admin' },
      { group: 'staff', teamId, role: 'member' },
    ]
    expect((await home.admin.put(`${home.path}/groups`, { groups })).status).toBe(200)
    const admin = { groups: [{ group: 'staff', teamId: null, role: 'org_admin' }] }
    expect((await home.admin.put(`${home.path}/groups`, admin)).status).toBe(400)
    const foreign = { groups: [{ group: 'staff', teamId: crypto.randomUUID(), role: 'member' }] }
    expect((await home.admin.put(`${home.path}/groups`, foreign)).status).toBe(404)
    const browser = world.browser()
    const as = async (...names: string[]) => {
      provider.people.set('ken', { email: `ken@${home.domain}`, email_verified: true, groups: names })
      await signOn('ken', browser)
      return memberOf(await world.personIn(browser))
    }
    expect(await as('staff', 'leads')).toEqual({ role: 'team_admin', team_id: teamId })
    expect(await as('staff')).toEqual({ role: 'member', team_id: teamId })
    expect(await as('others')).toEqual({ role: 'member', team_id: null })
  })

  it('refuses a suspended member', async () => {
    provider.people.set('dan', { email: `dan@${home.domain}`, email_verified: true })
    const browser = world.browser()
    await signOn('dan', browser)
    const userId = await world.personIn(browser)
    await world.pool.query('UPDATE members SET suspended_at = now() WHERE user_id = $1', [userId])
    expect(await signOn('dan')).toBe('/console/sign-in?sign_on=suspended')
  })

  it('returns to a page of the console, and to no other address', async () => {
    provider.people.set('amy', { email: `amy@${home.domain}`, email_verified: true })
    expect(await signOn('amy', world.browser(), '&next=/console/keys')).toBe('/console/keys')
    for (const next of ['//evil.example', 'https://evil.example/console/', '/api/auth/sign-out', '/\\evil.example']) {
      expect(await signOn('amy', world.browser(), `&next=${encodeURIComponent(next)}`), next).toBe('/console/')
    }
  })

  it('takes an answer once, and only from the browser that began', async () => {
    provider.people.set('bob', { email: `bob@${home.domain}`, email_verified: true })
    const browser = world.browser()
    const begin = async (): Promise<string> => {
      const form = await browser.open(startUrl())
      const options = { form: { login: 'bob' }, follows: (url: URL) => !isCallback(url) }
      return (await browser.open(form.url.href, options)).location ?? ''
    }
    const expired = '/console/sign-in?sign_on=expired'
    const stolen = await begin()
    const victim = world.browser()
    const page = await victim.open(stolen)
    expect(page.url.pathname + page.url.search).toBe(expired)
    expect(await world.personIn(victim)).toBeNull()
    const own = world.browser()
    await signOn('bob', own)
    const replayed = await own.open(stolen)
    expect(replayed.url.pathname + replayed.url.search).toBe(expired)
  })

  it('refuses connections that are disabled, unknown, or of another organization', async () => {
    const other = await world.newHome()
    for (const path of [
      `/api/sign-on/${home.id}/start?connection=${crypto.randomUUID()}`,
      `/api/sign-on/${other.id}/start?connection=${connectionId}`,
      `/api/sign-on/${home.id}/start?connection=x`,
      `/api/sign-on/${home.id}/start`,
      `${startUrl('&test=true')}`,
    ]) {
      const page = await world.browser().open(path)
      expect(page.url.pathname + page.url.search, path).toBe('/console/sign-in?sign_on=unavailable')
    }
  })
})

function setSession(browser: TestBrowser, cookie: string): void {
  const [name = '', value = ''] = cookie.split('=')
  browser.setCookie(name, value)
}
