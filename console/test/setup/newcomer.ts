import { expect } from 'vitest'
import { linkIn } from '../../../server/test/setup/mail-server.ts'
import type { ConsoleTest } from './console-test.ts'
import { signIn } from './people.ts'
import type { World } from './world.ts'

/** A person who is expected in an organization and has no account yet. */
export interface Newcomer {
  readonly name: string
  readonly email: string
}

const password = 'correct horse battery'

/** Leaves the page first, so that none of its requests lacks the cookie. */
export async function leave({ page, context }: ConsoleTest): Promise<void> {
  await page.goto('about:blank')
  await context.clearCookies()
}

/** Opens the invitation mail, signs up, confirms the address, and accepts. */
export async function joinByMail(test: ConsoleTest, { name, email }: Newcomer): Promise<void> {
  const { page, world, look } = test
  await leave(test)
  await page.goto(linkIn(await world.mail.nextTo(email)).href)
  const signUp = page.getByRole('link', { name: 'Sign up' })
  await signUp.waitFor()
  await look('invitation-signed-out')
  await signUp.click()
  await page.getByLabel('Name').fill(name)
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(linkIn(await world.mail.nextTo(email)).href)
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await signIn(page, { email, password })
  await page.getByRole('button', { name: 'Accept invitation' }).waitFor()
  await look('invitation')
  await page.getByRole('button', { name: 'Accept invitation' }).click()
}

/** Creates a key on the page of keys and returns its secret. */
export async function createOwnKey({ page, look }: ConsoleTest, name: string): Promise<string> {
  await page.getByRole('link', { name: 'API keys', exact: true }).first().click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByRole('dialog', { name: 'Copy your secret now' })
  const key = await secret.locator('pre').first().textContent()
  await secret.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name, exact: true }).waitFor()
  await look('newcomer-keys')
  return key ?? ''
}

/** The same doors without a browser: the mail, the account, the invitation, and an own key, which is returned. */
export async function joinByCalls(world: World, organizationId: string, person: Newcomer): Promise<string> {
  const { gateway, mail, origin } = world
  const { email } = person
  const token = linkIn(await mail.nextTo(email)).searchParams.get('token')
  const auth = gateway.as()
  const options = { headers: { origin } }
  expect((await auth.post('/api/auth/sign-up/email', { ...person, password }, options)).status).toBe(200)
  const link = linkIn(await mail.nextTo(email))
  await auth.get(`/api/auth/verify-email${link.search}`)
  const signedIn = await auth.open('POST', '/api/auth/sign-in/email', { email, password }, options)
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  await signedIn.body?.cancel()
  const own = gateway.as({ cookie })
  const accepted = await own.post('/api/invitations/accept', { token }, options)
  expect(accepted.status, accepted.text).toBe(201)
  const created = await own.post(`/v1/keys?organization=${organizationId}`, { name: 'own' }, options)
  expect(created.status, created.text).toBe(201)
  return String(created.json['key'])
}
