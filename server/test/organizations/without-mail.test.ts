import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld
beforeAll(async () => {
  world = await startOrganizationWorld()
})
afterAll(() => world.close())

/** Signs up with an address that no email can prove, and returns the person's session. */
async function signUp(email: string) {
  const options = { headers: { origin: ownOrigin } }
  const person = { name: 'Ada', email, password: 'correct horse battery' }
  expect((await world.as().post('/api/auth/sign-up/email', person, options)).status).toBe(200)
  const signedIn = await world.as().open('POST', '/api/auth/sign-in/email', person, options)
  await signedIn.body?.cancel()
  expect(signedIn.status).toBe(200)
  return world.as({
    cookie: signedIn.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; '),
  })
}

it('an unconfirmed account cannot be added, and the refusal says what to do', async () => {
  const { admin, path } = await world.newOrganization()
  await signUp('unconfirmed@example.com')
  const refused = await admin.post(`${path}/members`, { email: 'unconfirmed@example.com' })
  expect(refused.status).toBe(404)
  expect(refused.text).toContain(
    "unconfirmed@example.com can't be added directly: no account has confirmed this address. Send an invitation instead.",
  )
})

it('without a mail server an invitation is a link, which an unconfirmed account of its address accepts', async () => {
  const { admin, path } = await world.newOrganization()
  const ada = await signUp('ada@example.com')
  const other = await signUp('other@example.com')
  const invited = await admin.post(`${path}/invitations`, { emails: ['ada@example.com'] })
  expect(invited.list).toMatchObject([{ outcome: 'invited', mailed: false }])
  const token = new URL(String(invited.list[0]?.['url']), 'http://x').searchParams.get('token')
  expect((await other.post('/api/invitations/accept', { token })).status).toBe(403)
  expect((await ada.post('/api/invitations/accept', { token })).status).toBe(201)
})
