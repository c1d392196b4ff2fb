import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { type SamlProvider, startSamlProvider } from './start-saml-provider.ts'
import { selfSigned } from './self-signed.ts'
import { type SignOnHome, type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'
import type { TestBrowser } from './test-browser.ts'

let world: SignOnWorld
let home: SignOnHome
let provider: SamlProvider
let one: string
let connectionId: string
beforeAll(async () => {
  world = await startSignOnWorld()
  home = await world.newHome()
  const acs = `${ownOrigin}/api/sign-on/${home.id}/saml`
  provider = await startSamlProvider([{ entityId: `${acs}/metadata`, acs }])
  const body = { kind: 'saml', name: 'Staff', metadataUrl: provider.issuer, emailAttribute: 'mail' }
  const added = await home.admin.post(`${home.path}/connections`, body)
  expect(added.status, added.text).toBe(201)
  connectionId = String(added.data['id'])
  one = `${home.path}/connections/${connectionId}`
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const startUrl = (query = ''): string => `/api/sign-on/${home.id}/start?connection=${connectionId}${query}`

/** The fields of the first form in a page, and where it leads. */
function formIn({ url, text }: { url: URL; text: string }): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1] ?? ''
  const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([input]) => [
    plain(/ name="([^"]*)"/.exec(input)?.[1] ?? ''),
    plain(/ value="([^"]*)"/.exec(input)?.[1] ?? ''),
  ])
  return { action: new URL(plain(action), url).href, fields: Object.fromEntries(inputs) }
}

const plain = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Signs a person in at the provider and returns the page that the browser ends at. */
async function signOn(name: string, browser: TestBrowser = world.browser(), query = ''): Promise<string> {
  const asked = await browser.open(startUrl(query))
  // The provider remembers the person of a browser and answers at once the next time.
  const isForm = asked.text.includes('name="password"')
  const { action, fields } = formIn(asked)
  const credentials = { ...fields, username: name, password: provider.password }
  const answered = isForm ? await browser.open(action, { form: credentials }) : asked
  const answer = formIn(answered)
  expect(Object.keys(answer.fields), answered.text).toEqual(expect.arrayContaining(['SAMLResponse', 'RelayState']))
  const page = await browser.open(answer.action, { form: answer.fields })
  return page.url.pathname + page.url.search
}

async function testResult() {
  const { json } = await home.admin.get(`${home.path}/connections`)
  const [connection] = json['data'] as { test: { error: string | null; claims: object }; testedAt: string | null }[]
  return connection
}

async function adminBrowser(): Promise<TestBrowser> {
  const browser = world.browser()
  const [name = '', value = ''] = (await world.signIn(home.adminUserId)).split('=')
  browser.setCookie(name, value)
  return browser
}

describe('sign-on at SimpleSAMLphp', () => {
  it('is set up from its metadata, tested with its attributes, and then required', async () => {
    await provider.setPeople({ tess: { mail: [`tess@${home.domain}`], groups: ['staff', 'leads'] } })
    expect(await signOn('tess', await adminBrowser(), '&test=true')).toMatch(/\/sign-on$/)
    expect(await testResult()).toMatchObject({
      issuer: provider.issuer,
      saml: { signInUrl: `${provider.origin}/saml2/idp/SSOService.php`, certificates: [provider.certificate] },
      test: {
        error: null,
        claims: { NameID: 'tess', uid: 'tess', mail: `tess@${home.domain}`, groups: ['staff', 'leads'] },
      },
      testedAt: expect.any(String),
    })
    expect((await home.admin.patch(one, { enabled: true, enforced: true })).status).toBe(200)
  })

  it('creates an account and a membership at the first sign-in, and finds both at the next', async () => {
    await provider.setPeople({ grace: { mail: [`grace@${home.domain}`], displayName: ['Grace Hopper'] } })
    const browser = world.browser()
    expect(await signOn('grace', browser)).toMatch(/^\/console\/o\//)
    const userId = await world.personIn(browser)
    const found = 'SELECT u.name, u.email, m.role FROM users u JOIN members m ON m.user_id = u.id WHERE u.id = $1'
    expect((await world.pool.query(found, [userId])).rows).toEqual([
      { name: 'Grace Hopper', email: `grace@${home.domain}`, role: 'member' },
    ])
    // The address changes at the provider; the person is the same.
    await provider.setPeople({ grace: { mail: [`hopper@${home.domain}`] } })
    const again = world.browser()
    await signOn('grace', again, '&next=/console/keys')
    expect(await world.personIn(again)).toBe(userId)
  })

  it('gives the team and role of the first mapped group', async () => {
    const { teamId } = await world.addTeam(home.id)
    const groups = [{ group: 'leads', teamId, role: 'team_admin' }]
    expect((await home.admin.put(`${home.path}/groups`, { groups })).status).toBe(200)
    await provider.setPeople({ ken: { mail: [`ken@${home.domain}`], groups: ['staff', 'leads'] } })
    const browser = world.browser()
    await signOn('ken', browser)
    const { rows } = await world.pool.query('SELECT role, team_id FROM members WHERE user_id = $1', [
      await world.personIn(browser),
    ])
    expect(rows).toEqual([{ role: 'team_admin', team_id: teamId }])
  })

  it('refuses a wrong address, and names a wrong certificate, audience and issuer in a test', async () => {
    await provider.setPeople({ eve: { mail: ['eve@elsewhere.example'] } })
    expect(await signOn('eve')).toBe('/console/sign-in?sign_on=address')
    const { certificate } = selfSigned()
    expect((await home.admin.patch(one, { certificates: [certificate] })).status).toBe(200)
    expect(await signOn('eve')).toBe('/console/sign-in?sign_on=provider')
    await signOn('eve', await adminBrowser(), '&test=true')
    expect(await testResult()).toMatchObject({
      enforced: false,
      test: { error: expect.stringContaining('does not match the certificates') },
      testedAt: null,
    })
    await home.admin.patch(one, { certificates: [provider.certificate], issuer: 'https://other.example/' })
    await signOn('eve', await adminBrowser(), '&test=true')
    expect(await testResult()).toMatchObject({ test: { error: expect.stringContaining('The issuer is') } })
    await home.admin.patch(one, { issuer: provider.issuer })
  })
})
