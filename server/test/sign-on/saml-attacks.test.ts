import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Forgery, forgeries, type ForgeryKit } from './saml-forgeries.ts'
import { newSamlHome, type SamlHome } from './saml-home.ts'
import { selfSigned } from './self-signed.ts'
import { type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
let home: SamlHome
let other: SamlHome
beforeAll(async () => {
  world = await startSignOnWorld()
  home = await newSamlHome(world)
  other = await newSamlHome(world, { issuer: home.issuer })
})
afterAll(() => world.close())

const strangerKey = selfSigned()
const refusedBy = (refusal: string): string => `/console/sign-in?sign_on=${refusal}`
const entered = /^\/console\/o\//

const forged = ({ forge }: Forgery, requestId: string): string => {
  const own = home.termsFor('eve', requestId)
  const victim = { ...home.termsFor('ada', requestId), assertionId: own.assertionId ?? '' }
  const kit: ForgeryKit = { own, victim, key: home.key, strangerKey, otherKey: other.key }
  return forge(kit)
}

describe('forged answers of a SAML provider', () => {
  it('are judged against a genuine answer, which signs its person in', async () => {
    const browser = world.browser()
    const { requestId, relayState } = await home.begin(browser)
    expect(await home.answer(browser, home.genuine('eve', requestId), relayState)).toMatch(entered)
    expect(await world.personIn(browser)).not.toBeNull()
  })

  it.each(forgeries.map((forgery) => [forgery.name, forgery] as const))('are refused: %s', async (_name, forgery) => {
    const browser = world.browser()
    const { requestId, relayState } = await home.begin(browser)
    expect(await home.answer(browser, forged(forgery, requestId), relayState)).toBe(refusedBy('provider'))
    expect(await world.personIn(browser)).toBeNull()
    // A test of the connection names the reason, so that no forgery is refused by chance.
    const admin = await home.adminBrowser()
    const tested = await home.begin(admin, '&test=true')
    await home.answer(admin, forged(forgery, tested.requestId), tested.relayState)
    expect((await home.lastTest())?.error).toMatch(forgery.words)
  })
})

describe('answers of a SAML provider', () => {
  it('are taken once: neither the answer nor its assertion works again', async () => {
    const [first, second] = [world.browser(), world.browser()]
    const begun = await home.begin(first)
    const xml = home.genuine('bob', begun.requestId)
    expect(await home.answer(first, xml, begun.relayState)).toMatch(entered)
    expect(await home.answer(first, xml, begun.relayState)).toBe(refusedBy('expired'))
    const next = await home.begin(second)
    expect(await home.answer(second, xml, next.relayState)).toBe(refusedBy('provider'))
    expect(await world.personIn(second)).toBeNull()
  })

  it('are taken once also where the provider may begin, and where two arrive together', async () => {
    const open = await newSamlHome(world, { allowsUnsolicited: true })
    const xml = open.genuine('bob', null)
    const browsers = [world.browser(), world.browser(), world.browser()]
    const pages = await Promise.all(browsers.map((browser) => open.answer(browser, xml)))
    expect(pages.filter((page) => entered.test(page))).toHaveLength(1)
    expect(pages.filter((page) => page === refusedBy('provider'))).toHaveLength(2)
  })

  it('count only in the browser that began, even with the state', async () => {
    const [victim, attacker] = [world.browser(), world.browser()]
    const begun = await home.begin(attacker)
    const xml = home.genuine('eve', begun.requestId)
    expect(await home.answer(victim, xml, begun.relayState)).toBe(refusedBy('expired'))
    // The victim has begun a sign-in as well, but not this one.
    const other = world.browser()
    const own = await home.begin(other)
    const second = await home.begin(attacker)
    expect(await home.answer(other, home.genuine('eve', second.requestId), second.relayState)).toBe(
      refusedBy('expired'),
    )
    expect(await home.answer(other, home.genuine('eve', second.requestId), own.relayState)).toBe(refusedBy('provider'))
    expect(await world.personIn(other)).toBeNull()
  })

  it('without a request are refused unless the organization allows them', async () => {
    const browser = world.browser()
    expect(await home.answer(browser, home.genuine('eve', null))).toBe(refusedBy('expired'))
    expect(await world.personIn(browser)).toBeNull()
    const open = await newSamlHome(world, { allowsUnsolicited: true })
    const welcome = world.browser()
    // The relay state of another site is not followed.
    const page = await open.answer(welcome, open.genuine('amy', null), 'https://evil.example/console/')
    expect(page).toMatch(entered)
    expect(await world.personIn(welcome)).not.toBeNull()
    // An answer to a request is no unsolicited one.
    expect(await open.answer(world.browser(), open.genuine('amy', '_request'))).toBe(refusedBy('provider'))
  })

  it('of one organization are refused by another, also with the same issuer', async () => {
    const browser = world.browser()
    const begun = await home.begin(browser)
    const xml = home.genuine('eve', begun.requestId)
    expect(await other.answer(browser, xml, begun.relayState)).toBe(refusedBy('expired'))
    const there = await other.begin(browser)
    expect(await other.answer(browser, home.genuine('eve', there.requestId), there.relayState)).toBe(
      refusedBy('provider'),
    )
    expect(await world.personIn(browser)).toBeNull()
  })

  it.each([
    ['a domain that no organization has verified', () => 'eve@elsewhere.example'],
    ["another organization's domain", () => `eve@${other.domain}`],
    ['a subdomain of its own', () => `eve@mail.${home.domain}`],
    ['two domains in one', () => `eve@${home.domain}@evil.example`],
    ['no address', () => 'eve'],
  ])('with an address in %s are refused', async (_what, address) => {
    const browser = world.browser()
    const { requestId, relayState } = await home.begin(browser)
    const xml = home.genuine('mallory', requestId, { attributes: { mail: [address()] } })
    expect(await home.answer(browser, xml, relayState)).toBe(refusedBy('address'))
    expect(await world.personIn(browser)).toBeNull()
  })

  it('make no administrators, whatever their groups are called', async () => {
    const admin = { groups: [{ group: 'org_admin', teamId: null, role: 'org_admin' }] }
    expect((await home.admin.put(`${home.path}/groups`, admin)).status).toBe(400)
    const viewer = { groups: [{ group: 'org_admin', teamId: null, role: 'billing_viewer' }] }
    expect((await home.admin.put(`${home.path}/groups`, viewer)).status).toBe(200)
    const browser = world.browser()
    const { requestId, relayState } = await home.begin(browser)
    const attributes = { mail: [`gus@${home.domain}`], groups: ['org_admin'], role: ['org_admin'] }
    await home.answer(browser, home.genuine('gus', requestId, { attributes }), relayState)
    const { rows } = await world.pool.query('SELECT role FROM members WHERE user_id = $1', [
      await world.personIn(browser),
    ])
    expect(rows).toEqual([{ role: 'billing_viewer' }])
  })

  it('lead to a page of the console, and to no other address', async () => {
    const pages: [string, string][] = [
      ['/console/keys', '/console/keys'],
      ['//evil.example', '/console/'],
      ['https://evil.example/console/', '/console/'],
    ]
    for (const [next, expected] of pages) {
      const browser = world.browser()
      const { requestId, relayState } = await home.begin(browser, `&next=${encodeURIComponent(next)}`)
      expect(await home.answer(browser, home.genuine('amy', requestId), relayState), next).toBe(expected)
    }
  })

  it('that are no form or too large are refused', async () => {
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${world.url}/api/sign-on/${home.id}/saml`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
        redirect: 'manual',
      })
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await post(`SAMLResponse=${'A'.repeat(600_000)}`)).status).toBe(413)
    expect((await post('')).headers.get('location')).toBe(refusedBy('expired'))
    const browser = world.browser()
    const { relayState } = await home.begin(browser)
    expect(await home.answer(browser, '', relayState)).toBe(refusedBy('provider'))
  })
})
