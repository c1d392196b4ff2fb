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
    await page.getByLabel('Token').fill('not the token')
    await page.getByLabel('Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByLabel('First credit, USD').fill('25.000000001')
    await look('first-run')
    tolerate(/status of 403/)
    await page.getByRole('button', { name: 'Create the first account' }).click()
    await page.getByRole('alert').filter({ hasText: 'not the token' }).waitFor()
    await look('first-run-refused')
    await page.getByLabel('Token').fill(firstRunToken(testSecret))
    await page.getByRole('button', { name: 'Create the first account' }).click()
    await page.getByRole('heading', { name: 'It works' }).waitFor()
    await page.getByRole('button', { name: 'Stream a first answer' }).click()
    await page.getByText('Water finds its way.').waitFor()
    await look('first-run-works')
    await page.getByRole('link', { name: 'Open the console' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const balance = page.locator('section').filter({ hasText: 'Available =' }).locator('[data-nano]').first()
    expect(await balance.getAttribute('data-nano')).toBe('25000000001')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in')
    await open('/first-run')
    await page.waitForURL('**/console/sign-in')
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Credits', exact: true }).click()
    await page.getByText('Credit is not sold here', { exact: false }).waitFor()
    await page.getByText('Ask the operator of this gateway', { exact: false }).waitFor()
    await page.getByLabel('Code').waitFor()
    await look('credits-off')
  },
  () => startWorld(),
)
