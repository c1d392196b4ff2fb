import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createClient } from '#test/setup/client.ts'
import { authClient } from '#test/sign-in/auth-client.ts'
import { newSamlHome, type SamlHome } from './saml-home.ts'
import { type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
let second: Awaited<ReturnType<typeof startSecondGateway>>
beforeAll(async () => {
  world = await startSignOnWorld()
  second = await startSecondGateway(world)
})
afterAll(async () => {
  await second.close()
  await world.close()
})

/** A session that began without an identity provider, of a person with this address. */
async function otherSession(userId: string, email: string): Promise<string> {
  await world.pool.query('UPDATE users SET email = $2 WHERE id = $1', [userId, email])
  return world.signIn(userId)
}

async function signedOn(home: SamlHome, name: string, browser = world.browser()): Promise<string> {
  const { requestId, relayState } = await home.begin(browser)
  expect(await home.answer(browser, home.genuine(name, requestId), relayState)).toMatch(/^\/console\/o\//)
  return browser.cookie ?? ''
}

async function setRequired(home: SamlHome, enforced: boolean): Promise<void> {
  await world.pool.query('UPDATE sign_on_connections SET tested_at = now() WHERE id = $1', [home.connectionId])
  const changed = await home.admin.patch(`${home.path}/connections/${home.connectionId}`, { enforced })
  expect([changed.status, changed.data['enforced']], changed.text).toEqual([200, enforced])
}

/** People inside and outside of the verified domain, each with a session. */
async function newPeople(home: SamlHome) {
  const { domain, id } = home
  const other = await newSamlHome(world)
  const browser = world.browser()
  const elsewhere = await signedOn(other, 'eve', browser)
  const eve = await world.personIn(browser)
  await world.pool.query('UPDATE users SET email = $2 WHERE id = $1', [eve, `eve@${domain}`])
  const member = await world.addMember(id, { role: 'member' })
  const again = await otherSession(member.userId, `member@${domain}`)
  return {
    member: await world.signIn(member.userId),
    again,
    viewer: await otherSession((await world.addMember(id, { role: 'billing_viewer' })).userId, `viewer@${domain}`),
    stranger: await otherSession((await world.createClient()).userId, `stranger@${domain}`),
    elsewhere,
    signedOn: await signedOn(home, 'ada'),
    outsider: await otherSession((await world.addMember(id)).userId, `outsider@sub.${domain}`),
    admin: await otherSession(home.adminUserId, `admin@${domain}`),
  }
}

/** Who is still signed in, at both gateways. */
async function stillIn(sessions: Record<string, string>): Promise<string[]> {
  const names: string[] = []
  for (const [name, cookie] of Object.entries(sessions)) {
    const [first, other] = [
      await createClient(second.url, { cookie }).get('/v1/orgs'),
      await createClient(world.url, { cookie }).get('/v1/orgs'),
    ]
    expect(first.status, name).toBe(other.status)
    if (first.status === 200) names.push(name)
    else expect(first.status).toBe(401)
  }
  return names
}

describe('requiring single sign-on', () => {
  it('ends sessions that began in another way at once on every gateway, except those of administrators', async () => {
    const home = await newSamlHome(world)
    const { again, ...sessions } = await newPeople(home)
    expect(await stillIn(sessions)).toEqual(Object.keys(sessions))
    await setRequired(home, true)
    // The requests that change passwords and passkeys do not know the session either.
    const own = (cookie: string) => authClient(world).get('/get-session', { cookie })
    expect((await own(again)).body).toEqual({})
    expect((await own(sessions.signedOn)).body).toMatchObject({ user: { email: `ada@${home.domain}` } })
    expect(await stillIn(sessions)).toEqual(['signedOn', 'outsider', 'admin'])
    // An ended session stays ended when another way is allowed again.
    await setRequired(home, false)
    expect((await own(again)).body).toEqual({})
  })

  it('ends the session of an administrator who is one no longer', async () => {
    const home = await newSamlHome(world)
    const { userId, memberId } = await world.addMember(home.id, { role: 'org_admin' })
    const sessions = { admin: await otherSession(userId, `second@${home.domain}`) }
    await setRequired(home, true)
    expect(await stillIn(sessions)).toEqual(['admin'])
    expect((await home.admin.patch(`/v1/orgs/${home.id}/members/${memberId}`, { role: 'member' })).status).toBe(200)
    expect(await stillIn(sessions)).toEqual([])
  })
})
