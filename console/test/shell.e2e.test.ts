import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest('the overview shows the exact balance of the wallet', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient({ usd: '123456.000000789' })
  await signInAs(userId)
  await open('/')
  const balance = page.locator('section').filter({ hasText: 'Available credit' }).locator('[data-nano]').first()
  expect(await balance.getAttribute('data-nano')).toBe('123456000000789')
  // A headline shows cents, and the exact amount on hover.
  expect(await balance.textContent()).toBe('$123,456.00')
  expect(await balance.getAttribute('title')).toBe('$123456.000000789')
  await look('overview')
  await page.getByRole('link', { name: 'Open playground' }).click()
  await page.waitForURL('**/console/playground')
})

consoleTest('the palette opens a page with the keyboard alone', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search pages' }).fill('secret')
  await look('palette')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/keys')
})

consoleTest('the drawer shows the calls of the page as code', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/keys')
  await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
  await page.getByRole('button', { name: 'View API calls' }).click()
  const code = page
    .getByRole('dialog')
    .locator('pre')
    .filter({ hasText: `curl '${world.origin}/v1/keys?` })
  await code.waitFor()
  await look('calls')
})

consoleTest('an unknown page says so and leads back', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/nowhere')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await look('not-found')
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

consoleTest('the overview shows a charge of a program without a reload', async ({ world, page, open, signInAs }) => {
  const { userId, key } = await world.gateway.createClient({ usd: '3' })
  await signInAs(userId)
  const opened = page.waitForResponse('**/api/wallets/*/events')
  await open('/')
  const balance = page.locator('section').filter({ hasText: 'Available credit' }).locator('[data-nano]').first()
  await expect.poll(() => balance.getAttribute('data-nano')).toBe('3000000000')
  expect((await opened).headers()['content-type']).toBe('text/event-stream')
  const messages = [{ role: 'user', content: 'one two three' }]
  const reply = await world.gateway.as(key).post('/v1/chat/completions', { model: 'test/priced', messages })
  expect(reply.status).toBe(200)
  // Four prompt tokens at $1 per million and three output tokens at $2.
  await page.locator('#content [data-nano="2999990000"]').first().waitFor()
  await page
    .getByRole('link', { name: /test\/priced/ })
    .first()
    .waitFor()
})
