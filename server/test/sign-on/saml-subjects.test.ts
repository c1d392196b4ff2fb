import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSamlHome, type SamlHome } from './saml-home.ts'
import type { ResponseTerms } from './saml-response.ts'
import { type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
beforeAll(async () => {
  world = await startSignOnWorld()
})
afterAll(() => world.close())

/** Signs a person in. Returns the page that the browser ends at, and who is signed in there. */
async function signOn(home: SamlHome, terms: Partial<ResponseTerms>) {
  const browser = world.browser()
  const { requestId, relayState } = await home.begin(browser)
  const page = await home.answer(browser, home.genuine('ada', requestId, terms), relayState)
  return { page, userId: await world.personIn(browser) }
}

const refused = (refusal: string) => ({ page: `/console/sign-in?sign_on=${refusal}`, userId: null })

describe('an address that passes to another person', () => {
  it('opens no account by a name id, because an address is not accepted as one', async () => {
    const home = await newSamlHome(world)
    const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    const terms = {
      nameId: `ada@${home.domain}`,
      nameIdFormat,
      attributes: { mail: [`ada@${home.domain}`], oid: ['1'] },
    }
    expect(await signOn(home, terms)).toEqual(refused('provider'))
    const admin = await home.adminBrowser()
    const { requestId, relayState } = await home.begin(admin, '&test=true')
    await home.answer(admin, home.genuine('ada', requestId, terms), relayState)
    const error = expect.stringMatching(
      /email address, which can pass to another person.*The provider sent mail, oid\./,
    )
    expect(await home.lastTest()).toMatchObject({ error })
  })

  it('opens no account by a subject attribute, because the other person has another value', async () => {
    const home = await newSamlHome(world, { subjectAttribute: 'oid' })
    const terms = { nameId: `ada@${home.domain}` }
    const mail = [`ada@${home.domain}`]
    const first = await signOn(home, { ...terms, attributes: { mail, oid: ['1'] } })
    expect(first).toEqual({ page: expect.stringMatching(/^\/console\/o\//), userId: expect.any(String) })
    expect(await signOn(home, { ...terms, attributes: { mail, oid: ['2'] } })).toEqual(refused('other_subject'))
    const moved = { nameId: `king@${home.domain}`, attributes: { mail: [`king@${home.domain}`], oid: ['1'] } }
    expect((await signOn(home, moved)).userId).toBe(first.userId)
  })
})

it('links accounts anew when the subject attribute changes, and only then', async () => {
  const home = await newSamlHome(world)
  const attributes = { mail: [`ada@${home.domain}`], oid: ['1'] }
  const first = await signOn(home, { attributes })
  const one = `${home.path}/connections/${home.connectionId}`
  const links = async () =>
    (await world.pool.query('SELECT subject FROM sign_on_identities WHERE user_id = $1', [first.userId])).rows
  expect((await home.admin.patch(one, { groupsClaim: 'roles' })).status).toBe(200)
  expect(await links()).toEqual([{ subject: 'ada' }])
  expect((await home.admin.patch(one, { subjectAttribute: 'oid' })).data['saml']).toMatchObject({
    subjectAttribute: 'oid',
  })
  expect(await links()).toEqual([])
  expect((await signOn(home, { attributes })).userId).toBe(first.userId)
  expect(await links()).toEqual([{ subject: '1' }])
})

it('reads settings from before the subject attribute', async () => {
  const home = await newSamlHome(world)
  const text = `UPDATE sign_on_connections SET settings = settings - 'subjectAttribute' WHERE id = $1`
  await world.pool.query(text, [home.connectionId])
  const { data } = await home.admin
    .get(`${home.path}/connections`)
    .then(({ json }) => json as { data: { saml: object }[] })
  expect(data[0]?.saml).toMatchObject({ subjectAttribute: null })
  expect((await signOn(home, {})).userId).toEqual(expect.any(String))
})
