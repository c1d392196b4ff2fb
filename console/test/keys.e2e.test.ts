import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { placesWith } from './setup/places-with.ts'

consoleTest(
  'a person creates a key, sees its secret once, and the key works',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createCaller()
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await look('keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('laptop')
    await page.getByLabel('Spend limit, USD').fill('1234.123456789')
    await look('keys-create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    expect(secret).toMatch(/^sk-weir-/)
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page.getByText('Water finds its way.').waitFor()
    await look('keys-secret')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.waitFor()
    expect(await row.locator('data').last().getAttribute('data-nano')).toBe('1234123456789')
    expect(await placesWith(page, secret)).toEqual([])
    await page.getByRole('button', { name: 'API calls of this page' }).click()
    await page.getByRole('dialog').locator('pre').filter({ hasText: '-X POST' }).waitFor()
    expect(await placesWith(page, secret)).toEqual([])
    const reply = await world.gateway.as(secret).get('/v1/key')
    expect(reply.status).toBe(200)
  },
)

consoleTest(
  'keys are found by name through the URL, turned off and deleted',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createCaller()
    const laptop = await world.gateway.addKey(userId, { name: 'laptop' })
    await world.gateway.addKey(userId, { name: 'nightly-report' })
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('row').filter({ hasText: 'nightly-report' }).waitFor()
    await page.getByLabel('Search keys').fill('lap')
    await page.waitForURL('**/console/keys?q=lap')
    await page.getByRole('row').filter({ hasText: 'nightly-report' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Turn off' }).click()
    await page.getByRole('row').filter({ hasText: 'laptop' }).getByText('off', { exact: true }).waitFor()
    expect((await world.gateway.as(laptop.key).get('/v1/key')).status).toBe(401)
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await look('keys-delete')
    await page.getByRole('button', { name: 'Delete key' }).click()
    await page.getByRole('heading', { name: 'No key is called' }).waitFor()
  },
)
