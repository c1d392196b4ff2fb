import { expect } from 'vitest'
import { linkIn } from '../../server/test/setup/mail-server.ts'
import { consoleTest } from './setup/console-test.ts'
import { createPerson, newPerson, signIn } from './setup/people.ts'

consoleTest(
  'a newcomer signs up, confirms the address by mail and signs in',
  async ({ world, page, open, look, tolerate }) => {
    const person = newPerson()
    await open('/')
    await page.waitForURL('**/console/sign-in**')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await look('sign-up')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await look('sign-up-sent')
    tolerate(/status of 403/)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await signIn(page, person)
    await page.getByRole('alert').waitFor()
    await page.goto(linkIn(await world.mail.nextTo(person.email)).href)
    await page.getByRole('button', { name: 'Confirm email address' }).waitFor()
    await look('confirm-address')
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByText('Email verified.').waitFor()
    await look('sign-in')
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  },
)

consoleTest(
  'a wrong password is refused in words, and the right one leads to the page that was asked for',
  async ({ world, page, open, look, tolerate }) => {
    const person = await createPerson(world)
    tolerate(/status of 401/)
    await open('/keys')
    await page.waitForURL('**/console/sign-in**')
    await signIn(page, { ...person, password: 'wrong horse battery' })
    await page.getByRole('alert').waitFor()
    await look('sign-in-refused')
    await signIn(page, person)
    await page.waitForURL('**/console/keys')
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
    await look('keys-empty')
  },
)

consoleTest(
  'a forgotten password is replaced by mail, and the link works once',
  async ({ world, page, open, look, tolerate }) => {
    const person = await createPerson(world)
    await open('/forgot-password')
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const link = linkIn(await world.mail.nextTo(person.email)).href
    await page.goto(link)
    await page.getByLabel('New password').fill('battery staple horse')
    expect(page.url()).not.toContain('token')
    await look('reset-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password reset.').waitFor()
    await signIn(page, { email: person.email, password: 'battery staple horse' })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    tolerate(/status of 400/)
    await page.goto(link)
    await page.getByRole('heading', { name: "This link isn't valid" }).waitFor()
  },
)
