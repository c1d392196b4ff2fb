import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { createPerson } from './setup/people.ts'

// More tab stops than any page has.
const stepsMax = 60

/** Presses Tab until the locator has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let step = 0; step < stepsMax; step += 1) {
    if (await wanted.evaluate((node) => node.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${String(wanted)}`)
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

consoleTest('with the keyboard alone a person signs in, makes a key and deletes it', async ({ world, page, open }) => {
  const person = await createPerson(world)
  await open('/sign-in')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await tabTo(page, page.getByLabel('Password'))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await press(page, page.getByRole('link', { name: 'API keys', exact: true }))
  await press(page, page.getByRole('button', { name: 'Create key' }).first())
  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.type('laptop')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Done' }))
  await press(page, page.getByRole('button', { name: 'Actions for laptop' }))
  await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Delete key' }))
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'laptop' }).count()).toBe(0)
})
