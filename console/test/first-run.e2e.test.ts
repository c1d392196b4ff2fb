import { expect } from 'vitest'
import { firstRunToken } from '../../server/src/control/first-run/first-run-token.ts'
import { testSecret } from '../../server/test/setup/gateway.ts'
import { consoleTest } from './setup/console-test.ts'
import { newPerson, signIn } from './setup/people.ts'
import { startWorld } from './setup/world.ts'

consoleTest(
  'an installation without an account makes its first one with the token, and streams a first answer',
  async ({ page, open, look, tolerate }) => {
    const person = newPerson()
    await open('/')
    await page.waitForURL('**/console/first-run')
    await page.getByLabel('Setup token').fill('not the token')
    await page.getByLabel('Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByLabel('Starting credit (optional)').fill('25.000000001')
    await look('first-run')
    tolerate(/status of 403/)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').filter({ hasText: 'Invalid setup token' }).waitFor()
    await look('first-run-refused')
    await page.getByLabel('Setup token').fill(firstRunToken(testSecret))
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: "You're all set" }).waitFor()
    await page.getByRole('button', { name: 'Stream a test response' }).click()
    await page.getByText('Water finds its way.').waitFor()
    await look('first-run-works')
    await page.getByRole('link', { name: 'Open console' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const balance = page.locator('section').filter({ hasText: 'Available credit' }).locator('[data-nano]').first()
    expect(await balance.getAttribute('data-nano')).toBe('25000000001')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in')
    await open('/first-run')
    await page.waitForURL('**/console/sign-in')
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Billing', exact: true }).click()
    await page.getByText("Online payment isn't set up", { exact: false }).waitFor()
    await page.getByText('Ask the gateway operator', { exact: false }).waitFor()
    await page.getByLabel('Code').waitFor()
    await look('credits-off')
  },
  () => startWorld(),
)
