import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest('a search in the documentation finds a page, whose code is coloured', async ({ page, look }) => {
  await page.goto('/docs/')
  await page.getByRole('heading', { level: 1, name: 'Weir' }).waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('tool five lines')
  await page.getByRole('dialog').getByRole('link', { name: 'Your tool in five lines' }).first().waitFor()
  await look('docs-search')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your tool in five lines' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/tools')
  const code = page.locator('.language-python pre').first()
  expect(await code.textContent()).toContain('from openai import OpenAI\n')
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    const colours = await Promise.all(
      ['code', '.code-keyword', '.code-string'].map((part) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('.language-python pre ${part}')).color`),
      ),
    )
    expect(new Set(colours).size, `${scheme}: ${colours.join(', ')}`).toBe(3)
  }
})

consoleTest('a search in the documentation lists first what the words ask for', async ({ page }) => {
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Search' }).click()
  const first = page.getByRole('dialog').getByRole('link').first().locator('b')
  for (const [words, title] of [
    ['rotate a key', 'Rotate an API key'],
    ['how do I rotate my api key', 'Rotate an API key'],
    ['revoke an operator key', 'Revoke an operator key'],
    ['who changed this price', 'Plan and undo a price change'],
    ['the disk fills', 'WeirDatabaseFilling: the database fills the disk of Postgres'],
    ['set a budget for a team', 'Set balance and budget alerts'],
  ] as const) {
    await page.getByRole('searchbox').fill(words)
    await first.filter({ hasText: title }).waitFor()
  }
})

consoleTest('the menu of a person leads to the documentation', async ({ world, page, context, open, signInAs }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  const docs = await opened
  await docs.getByRole('heading', { level: 1, name: 'Weir' }).waitFor()
  expect(new URL(docs.url()).pathname).toBe('/docs/')
})

consoleTest('the empty list of customers leads to their part of the documentation', async (test) => {
  const { world, page, context, open, signInAs } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/customers')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'How to limit what your customers spend' }).click()
  const docs = await opened
  await docs.locator('#limit-what-your-customers-spend').waitFor()
  expect(new URL(docs.url()).pathname).toBe('/docs/api')
  await docs.close()
})

consoleTest('a call of the reference is sent with the key that a person types', async ({ world, page }) => {
  const { key } = await world.gateway.createClient()
  await page.goto('/docs/reference/inference')
  const { origin } = new URL(page.url())
  expect(origin).not.toContain(':8484')
  await page.locator('.language-sh').getByText(`${origin}/v1/chat/completions`).first().waitFor()
  expect(await page.locator('.vp-doc').innerText()).not.toContain(':8484')
  const form = page.locator('details.try-it').first()
  await form.locator('summary').click()
  await form.getByLabel('Key', { exact: true }).fill(key)
  await form.getByRole('button', { name: 'Send POST' }).click()
  await form.getByText(/^200 OK, request req_/).waitFor()
  await form.locator('pre').getByText('"content": "Hello there"').waitFor()
  const kept = await page.evaluate<string>(
    'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])',
  )
  expect(kept).not.toContain(key)
})
